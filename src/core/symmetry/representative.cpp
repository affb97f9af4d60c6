#include "symmetry/representative.hpp"

namespace gpaplan {

// --- groups ---

void SwapGroups::find(const OrderedMembers& members, const RelationGraph& graph, const Colouring& colouring) {
    members_ = &members;
    related_.clear();
    standings_.clear();
    sizes_.assign(graph.size(), 0);
    for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex) {
        const auto twin = colouring.first_twin(vertex);
        related_.push_back(graph.member(vertex));
        standings_.push_back({graph.member(twin), sizes_[twin]++});
    }
}

SwapGroups::Standing SwapGroups::standing(std::uint32_t member) const {
    const auto begin = members_->run_begin(symmetry_.class_of(member), members_->run_of(member));
    if (related_.empty()) return {begin, member - begin};
    const auto here = std::ranges::lower_bound(related_, member);
    if (here != related_.end() && *here == member) return standings_[here - related_.begin()];
    const auto earlier = here - std::ranges::lower_bound(related_, begin);
    return {symmetry_.member_count() + begin, member - begin - static_cast<std::uint32_t>(earlier)};
}

// How many different members of the group of an argument stand before it.
std::uint32_t SwapGroups::earlier_of_group(IndexSpan arguments, std::size_t i) const {
    const auto group = standing(symmetry_.member_of(arguments[i])).group;
    std::uint32_t earlier = 0;
    for (std::size_t k = 0; k < i; ++k) {
        const auto other = symmetry_.member_of(arguments[k]);
        if (other == no_id || standing(other).group != group) continue;
        earlier += std::find(arguments.begin(), arguments.begin() + k, arguments[k]) == arguments.begin() + k;
    }
    return earlier;
}

bool SwapGroups::is_first(ActionId action) const {
    const auto arguments = symmetry_.task()->action_arguments[action];
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto member = symmetry_.member_of(arguments[i]);
        const auto rank = member == no_id ? 0 : standing(member).rank;
        if (rank == 0 || earlier_of_group(arguments, i) == rank) continue;
        const auto here = arguments.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find(arguments.begin(), here, arguments[i]) == here) return false;
    }
    return true;
}

ActionId SwapGroups::first_action(ActionId action) const {
    const auto& task = *symmetry_.task();
    const auto given = task.action_arguments[action];
    Indices name{task.action_schemas[action]};
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto member = symmetry_.member_of(given[i]);
        const auto same = static_cast<std::size_t>(std::ranges::find(given, given[i]) - given.begin());
        if (member == no_id || same < i) {
            name.push_back(member == no_id ? given[i] : name[1 + same]);
            continue;
        }
        const auto earlier = earlier_of_group(given, i);
        auto candidate = symmetry_.class_begin(symmetry_.class_of(member));
        const auto group = standing(member).group;
        const auto is_it = [&](const auto& each) { return each.group == group && each.rank == earlier; };
        while (!is_it(standing(candidate))) ++candidate;
        name.push_back(symmetry_.object_of(candidate));
    }
    return symmetry_.action(name);
}

// --- representatives ---

Canonicaliser::Canonicaliser(std::shared_ptr<const Symmetry> symmetry)
    : symmetry_(std::move(symmetry)),
      members_(*symmetry_),
      changes_(*symmetry_),
      graph_(*symmetry_),
      colouring_(*symmetry_, graph_),
      search_(*symmetry_, graph_, colouring_),
      groups_(*symmetry_),
      thinned_(symmetry_->moving().size()) {}

void Canonicaliser::canonicalise(Word* state) {
    exact_ = true;
    entered_ = nullptr;
    members_.sort(state);
    const auto& reading = members_.reading();
    graph_.build(reading.relations);
    if (!reading.relations.empty()) {
        members_.find_runs();
        place_relations(reading, state);
    }
    for (std::uint32_t place = 0; place < symmetry_->member_count(); ++place)
        if (const auto member = members_[place]; member != place)
            flip_slots(*symmetry_, state, place, reading.key(place), reading.key(member));
}

// Replaces the relations of a state by those of its representative.
void Canonicaliser::place_relations(const KeyReading& reading, Word* state) {
    colouring_.colour(reading, state);
    run_ends_.resize(graph_.size());
    for (std::uint32_t vertex = 0; vertex < graph_.size(); ++vertex)
        run_ends_[vertex] = changes_.run_end(members_, graph_.member(vertex));
    exact_ = search_.run(run_ends_);
    for (auto relation : graph_.relations()) clear_bit(state, symmetry_->relation_atom(relation));
    for (auto atom : search_.atoms()) set_bit(state, atom);
}

Indices Canonicaliser::permutation() const {
    Indices image(symmetry_->object_count());
    std::iota(image.begin(), image.end(), 0U);
    for (std::uint32_t c = 0; c < symmetry_->class_count(); ++c) {
        std::uint32_t next = 0;  // of the places of one key: the members without relations come first
        for (auto at = symmetry_->class_begin(c); at < symmetry_->class_end(c); ++at) {
            const auto member = members_[at];
            const bool is_next = at > symmetry_->class_begin(c);
            if (!is_next || !members_.reading().have_one_key(members_[at - 1], member)) next = at;
            const auto vertex = graph_.vertex_of(member);
            const auto place = vertex == no_id ? next++ : search_.place(vertex);
            image[symmetry_->object_of(member)] = symmetry_->object_of(place);
        }
    }
    return image;
}

void Canonicaliser::enter(const Word* state) {
    entered_ = state;
    members_.number(state);
    members_.find_runs();
    changes_.enter(members_);
    const auto& reading = members_.reading();
    graph_.build(reading.relations);
    if (!reading.relations.empty()) colouring_.colour(reading, state);
    groups_.find(members_, graph_, colouring_);
    thin(state);
}

void Canonicaliser::thin(const Word* state) {
    const auto& by_name = symmetry_->asked_by_name();
    for (std::size_t w = 0; w < thinned_.size(); ++w) thinned_[w] = state[w] & ~by_name[w];
    const auto keep = [&](std::uint32_t member) {
        const Word* key = members_.reading().key(member);
        for (std::uint32_t w = 0; w < symmetry_->key_width(symmetry_->class_of(member)); ++w)
            for_each_bit_of(key[w], w,
                            [&](auto slot) { set_bit(thinned_.data(), symmetry_->slot_atom(member, slot)); });
    };
    for (std::uint32_t vertex = 0; vertex < graph_.size(); ++vertex) keep(graph_.member(vertex));
    for (std::uint32_t c = 0; c < symmetry_->class_count(); ++c) {
        for (std::uint32_t run = 0; run < members_.runs(c).size(); ++run) {
            auto left = symmetry_->most_named(c);
            for (auto member = members_.run_begin(c, run); left > 0 && member < members_.runs(c)[run].end; ++member) {
                if (graph_.vertex_of(member) != no_id) continue;
                keep(member);
                --left;
            }
        }
    }
}

void Canonicaliser::canonicalise_successor(Word* state) {
    if (entered_ == nullptr || !members_.is_sorted()) {
        canonicalise(state);
        return;
    }
    exact_ = true;
    if (!changes_.read(members_, entered_, state)) return;
    const auto& reading = changes_.reading();
    if (!reading.relations.empty()) {
        graph_.build(reading.relations);
        place_relations(reading, state);
    }
    changes_.write(members_, state);
}

}  // namespace gpaplan
