#include "variables/variables.hpp"

namespace gpaplan {

namespace {

class Chooser {
public:
    Chooser(const Task& task, Stop& stop) : task_(task), stop_(stop) {
        result_.mutex = find_mutex_groups(task, stop);
        result_.groups_of = invert(result_.mutex.atoms, task.atom_count());
        result_.variable_of.assign(task.atom_count(), no_id);
        result_.value_of.assign(task.atom_count(), 0);
        const auto& invariants = result_.mutex.invariants;
        is_chosen_.assign(invariants.empty() ? 0 : invariants.back() + 1, 0);
    }

    Variables run() {
        for (auto invariant = best_invariant(); invariant != no_id; invariant = best_invariant()) {
            is_chosen_[invariant] = 1;
            for (std::uint32_t group = 0; group < result_.mutex.size(); ++group)
                if (result_.mutex.invariants[group] == invariant && free_atoms(group) > 1) add_group(group);
        }
        for (AtomId atom = 0; atom < task_.atom_count(); ++atom)
            if (result_.variable_of[atom] == no_id) add({&atom, 1}, no_id, true);
        return std::move(result_);
    }

private:
    std::size_t free_atoms(std::uint32_t group) const {
        return std::ranges::count_if(result_.mutex.atoms[group],
                                     [&](auto atom) { return result_.variable_of[atom] == no_id; });
    }

    // That whose groups have the most free atoms; no_id if there is none.
    std::uint32_t best_invariant() const {
        std::vector<std::size_t> counts(is_chosen_.size(), 0);
        for (std::uint32_t group = 0; group < result_.mutex.size(); ++group) {
            stop_.poll(1 + result_.mutex.atoms[group].size());
            const auto count = free_atoms(group);
            if (count > 1) counts[result_.mutex.invariants[group]] += count;
        }
        const auto best = std::ranges::max_element(counts);
        return best == counts.end() || *best == 0 ? no_id : static_cast<std::uint32_t>(best - counts.begin());
    }

    void add_group(std::uint32_t group) {
        Indices free;
        for (auto atom : result_.mutex.atoms[group])
            if (result_.variable_of[atom] == no_id) free.push_back(atom);
        const bool is_whole = free.size() == result_.mutex.atoms[group].size();
        add(free, group, !is_whole || result_.mutex.always_one[group] == 0);
    }

    void add(IndexSpan atoms, std::uint32_t group, bool may_be_none) {
        const auto variable = static_cast<std::uint32_t>(result_.size());
        for (std::uint32_t value = 0; value < atoms.size(); ++value) {
            result_.variable_of[atoms[value]] = variable;
            result_.value_of[atoms[value]] = value;
        }
        result_.atoms.add(atoms);
        result_.groups.push_back(group);
        result_.may_be_none.push_back(may_be_none ? 1 : 0);
    }

    const Task& task_;
    Stop& stop_;
    Variables result_;
    std::vector<std::uint8_t> is_chosen_;
};

}  // namespace

bool Variables::exclude(AtomId a, AtomId b) const {
    auto x = groups_of[a].begin();
    auto y = groups_of[b].begin();
    while (x != groups_of[a].end() && y != groups_of[b].end()) {
        if (*x == *y) return true;
        ++(*x < *y ? x : y);
    }
    return false;
}

Variables find_variables(const Task& task, Stop& stop) { return Chooser(task, stop).run(); }

}  // namespace gpaplan
