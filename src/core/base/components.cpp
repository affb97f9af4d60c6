#include "base/components.hpp"

#include "base/ids.hpp"

namespace gpaplan {

namespace {

class Tarjan {
public:
    Tarjan(const Ranges& successors, Stop& stop)
        : successors_(successors), stop_(stop), order_(successors.size(), no_id), lowest_(successors.size(), 0) {
        result_.component_of.assign(successors.size(), no_id);
    }

    Components run() {
        for (std::uint32_t root = 0; root < successors_.size(); ++root)
            if (order_[root] == no_id) search(root);
        return std::move(result_);
    }

private:
    struct Frame {
        std::uint32_t vertex;
        std::uint32_t next;  // the successor to look at next, as a place in successors_.values
    };

    void search(std::uint32_t root) {
        enter(root);
        while (!path_.empty()) {
            auto& [vertex, next] = path_.back();
            if (next == successors_.begin[vertex + 1]) {
                leave();
                continue;
            }
            const auto successor = successors_.values[next++];
            if (order_[successor] == no_id)
                enter(successor);
            else if (result_.component_of[successor] == no_id)
                lowest_[vertex] = std::min(lowest_[vertex], order_[successor]);
        }
    }

    void enter(std::uint32_t vertex) {
        if ((entered_ & 0xfffU) == 0) stop_.look();
        order_[vertex] = lowest_[vertex] = entered_++;
        open_.push_back(vertex);
        path_.push_back({vertex, successors_.begin[vertex]});
    }

    // All successors of the last vertex of the path are seen: it closes its component if it was the first one there.
    void leave() {
        const auto vertex = path_.back().vertex;
        path_.pop_back();
        if (!path_.empty()) {
            auto& lowest = lowest_[path_.back().vertex];
            lowest = std::min(lowest, lowest_[vertex]);
        }
        if (lowest_[vertex] != order_[vertex]) return;
        auto& members = result_.members;
        const auto component = static_cast<std::uint32_t>(members.size());
        const auto first = static_cast<std::ptrdiff_t>(members.values.size());
        std::uint32_t member = no_id;
        do {
            member = open_.back();
            open_.pop_back();
            result_.component_of[member] = component;
            members.values.push_back(member);
        } while (member != vertex);
        std::sort(members.values.begin() + first, members.values.end());
        members.close();
    }

    const Ranges& successors_;
    Stop& stop_;
    Components result_;
    Indices order_;   // in which vertices were entered
    Indices lowest_;  // the first vertex still open that is known to be reached from here, by its order
    Indices open_;    // entered, and not yet in a component
    std::vector<Frame> path_;
    std::uint32_t entered_ = 0;
};

}  // namespace

Components strongly_connected_components(const Ranges& successors, Stop& stop) {
    return Tarjan(successors, stop).run();
}

}  // namespace gpaplan
