// Typed errors of the core. The core never prints and never exits; the bindings turn each of these into the Python
// exception of the same meaning.
#pragma once

#include <stdexcept>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace gpaplan {

// Something in the core is not as it must be: a bug of ours, or an IR that was written by hand and is wrong.
struct InternalError : std::logic_error {
    using std::logic_error::logic_error;
};

// Grounding met more actions or atoms than the limit allows, or something has more parts than ids of 32 bits can name.
struct TaskTooLarge : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// An action has more joint outcomes in some state than the limit allows.
struct TooManyOutcomes : std::runtime_error {
    TooManyOutcomes(ActionId action, std::uint64_t limit)
        : std::runtime_error("too many joint outcomes"), action(action), limit(limit) {}
    ActionId action;
    std::uint64_t limit;
};

// An action has a cost that is not positive, in the given state (no_id: in every state).
struct NonPositiveCost : std::runtime_error {
    NonPositiveCost(ActionId action, double cost)
        : std::runtime_error("cost is not positive"), action(action), cost(cost) {}
    ActionId action;
    double cost;
};

// A number is too large or too small for a double: the cost of an action or the probability of an outcome, in some
// state; or what a policy costs (no_id).
struct OutOfRange : std::runtime_error {
    OutOfRange(ActionId action, const char* quantity)
        : std::runtime_error("beyond the range of doubles"), action(action), quantity(quantity) {}
    ActionId action;
    const char* quantity;  // "cost" or "probability"
};

// A static function has no value for some arguments with which it is used.
struct MissingValue : std::runtime_error {
    MissingValue(std::uint32_t function, std::vector<std::uint32_t> arguments, std::uint32_t schema)
        : std::runtime_error("no value"), function(function), arguments(std::move(arguments)), schema(schema) {}
    std::uint32_t function;
    std::vector<std::uint32_t> arguments;
    std::uint32_t schema;
};

}  // namespace gpaplan
