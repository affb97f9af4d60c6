#include "solvers/lrtdp.hpp"

#include "solvers/labelling.hpp"
#include "solvers/trail.hpp"

namespace gpaplan {

namespace {

class Lrtdp {
public:
    Lrtdp(Search& search, bool resume) : search_(search), trail_(search, resume), labelling_(search) {}

    void trial() {
        if (!trail_.is_checked()) walk();
        trail_.check_backwards([&](StateId visited) { return labelling_.check(visited); });
    }

private:
    void walk() {
        auto state = trail_.start();
        while (!search_.is_solved(state)) {
            trail_.push(state);
            if (search_.is_goal(state)) break;
            search_.backup(state);
            if (search_.is_dead_end(state)) break;
            state = search_.sample_successor(state);
            if (search_.take_stock()) break;  // a trial may be as long as a chain is slow
        }
    }

    Search& search_;
    Trail trail_;
    Labelling labelling_;
};

}  // namespace

std::uint64_t run_lrtdp(Search& search, const LrtdpOptions& options) {
    Lrtdp lrtdp(search, options.resume);
    std::uint64_t trials = 0;
    while (!search.is_solved(search.root()) && trials < options.max_trials) {
        lrtdp.trial();
        ++trials;
    }
    search.close_policy();
    return trials;
}

}  // namespace gpaplan
