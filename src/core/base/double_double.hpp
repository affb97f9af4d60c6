// Numbers with twice the digits of a double: the sum of two doubles that is not evaluated (Dekker 1971).
//
// The second is what rounding took from the first. A sum or a product is right up to a few units of 2^-104, relative to
// the operands of the sum, as long as nothing leaves the range of doubles.
#pragma once

#include <cmath>

namespace gpaplan {

struct DoubleDouble {
    double high = 0;
    double low = 0;
};

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
    const double sum = a.high + b.high;
    const double of_b = sum - a.high;
    const double rounded_off = (a.high - (sum - of_b)) + (b.high - of_b);
    const double low = rounded_off + (a.low + b.low);
    const double high = sum + low;
    return {high, low - (high - sum)};
}

inline DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }
inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + -b; }

inline DoubleDouble operator*(double a, const DoubleDouble& b) {
    const double product = a * b.high;
    const double low = std::fma(a, b.high, -product) + a * b.low;
    const double high = product + low;
    return {high, low - (high - product)};
}

}  // namespace gpaplan
