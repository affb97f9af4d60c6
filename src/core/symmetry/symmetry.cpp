#include "symmetry/symmetry.hpp"

namespace gpaplan {

namespace {

// A predicate or schema with its arguments, as interners have it.
void write_name(std::uint32_t symbol, IndexSpan arguments, Indices& name) {
    name.assign(1, symbol);
    append(name, arguments);
}

}  // namespace

Symmetry::Symmetry(std::shared_ptr<const Task> task, std::uint32_t object_count, std::vector<Indices> classes)
    : task_(std::move(task)),
      classes_(std::move(classes)),
      object_members_(object_count, no_id),
      moving_(task_->word_count(), 0) {
    number_members();
    place_atoms();
    find_named_members();
}

void Symmetry::number_members() {
    for (std::uint32_t c = 0; c < class_count(); ++c) {
        class_begin_.push_back(member_count());
        for (auto object : classes_[c]) {
            object_members_[object] = member_count();
            member_objects_.push_back(object);
            member_classes_.push_back(c);
        }
    }
    class_begin_.push_back(member_count());
}

void Symmetry::place_atoms() {
    const auto& task = *task_;
    ListInterner names;
    Indices name;
    std::vector<Indices> slots(class_count());  // the atoms that mention only the first member of each class
    Indices relations;
    places_.assign(task.atom_count(), {0, 0});
    for (AtomId atom = 0; atom < task.atom_count(); ++atom) {
        write_name(task.atom_predicates[atom], task.atom_arguments[atom], name);
        names.intern(name);
        std::uint32_t first = no_id;
        bool several = false;
        for (auto object : task.atom_arguments[atom]) {
            const auto member = object_members_[object];
            if (member == no_id) continue;
            several = several || (first != no_id && first != member);
            first = member;
        }
        if (first == no_id) continue;
        set_bit(moving_.data(), atom);
        if (several)
            relations.push_back(atom);
        else if (const auto c = member_classes_[first]; first == class_begin_[c])
            slots[c].push_back(atom);
    }
    for (std::uint32_t c = 0; c < class_count(); ++c) place_slots(names, c, slots[c]);
    place_relations(relations);
}

// Gives each member of a class the slots that its first member has.
void Symmetry::place_slots(const ListInterner& names, std::uint32_t c, const Indices& atoms) {
    const auto width = static_cast<std::uint32_t>((atoms.size() + 63) / 64);
    const auto first = member_objects_[class_begin_[c]];
    key_widths_.push_back(width);
    Indices name;
    for (auto object : classes_[c]) {
        const auto begin = key_words();
        key_begin_.push_back(begin);
        word_members_.resize(begin + width, object_members_[object]);
        slot_begin_.push_back(static_cast<std::uint32_t>(slot_atoms_.size()));
        for (std::uint32_t slot = 0; slot < atoms.size(); ++slot) {
            write_name(task_->atom_predicates[atoms[slot]], task_->atom_arguments[atoms[slot]], name);
            std::replace(name.begin() + 1, name.end(), first, object);
            const auto atom = names.find(name);
            if (atom == no_id) throw InternalError("symmetry: an atom has no image");
            slot_atoms_.push_back(atom);
            places_[atom] = {begin + slot / 64, slot % 64};
        }
    }
}

void Symmetry::place_relations(const Indices& atoms) {
    ListInterner patterns;
    const auto objects = static_cast<std::uint32_t>(object_members_.size());
    Indices key;
    Indices members;
    for (auto atom : atoms) {
        key.assign(1, task_->atom_predicates[atom]);
        members.clear();
        for (auto object : task_->atom_arguments[atom]) {
            const auto member = object_members_[object];
            if (member == no_id) {
                key.push_back(object);
                continue;
            }
            auto at = std::ranges::find(members, member) - members.begin();
            if (at == static_cast<std::ptrdiff_t>(members.size())) members.push_back(member);
            key.push_back(objects + static_cast<std::uint32_t>(at));
        }
        std::size_t size = 1;
        for (auto member : members) {
            key.push_back(2 * objects + member_classes_[member]);
            size *= classes_[member_classes_[member]].size();
        }
        const auto pattern = patterns.intern(key);
        if (pattern == table_begin_.size()) {
            table_begin_.push_back(tables_.size());
            tables_.resize(tables_.size() + size, no_id);
        }
        std::size_t at = 0;
        for (auto member : members)
            at = at * classes_[member_classes_[member]].size() + (member - class_begin_[member_classes_[member]]);
        tables_[table_begin_[pattern] + at] = atom;
        places_[atom] = {no_id, static_cast<std::uint32_t>(relation_atoms_.size())};
        relation_atoms_.push_back(atom);
        relation_patterns_.push_back(pattern);
        relation_members_.add(members);
    }
}

void Symmetry::find_named_members() {
    asked_by_name_ = moving_;
    most_named_.assign(class_count(), 0);
    for (auto atom : relation_atoms_) clear_bit(asked_by_name_.data(), atom);
    Indices members;  // of an action
    const auto is_named = [&](AtomId atom) {
        const auto place = places_[atom];
        return place.word != no_id && std::ranges::find(members, word_members_[place.word]) != members.end();
    };
    for (ActionId action = 0; action < task_->action_count(); ++action) {
        members.clear();
        for (auto object : task_->action_arguments[action])
            if (const auto member = object_members_[object]; member != no_id) members.push_back(member);
        for (auto member : members) {
            auto& most = most_named_[member_classes_[member]];
            const auto same_class = [&](auto other) { return member_classes_[other] == member_classes_[member]; };
            most = std::max(most, static_cast<std::uint32_t>(std::ranges::count_if(members, same_class)));
        }
        for_each_literal(*task_, task_->preconditions[action], [&](Literal literal) {
            const auto atom = atom_of(literal);
            if (test_bit(asked_by_name_.data(), atom) && !is_named(atom)) clear_bit(asked_by_name_.data(), atom);
        });
    }
}

ActionId Symmetry::action(IndexSpan name) const {
    std::call_once(actions_once_, [&] {
        Indices each_name;
        for (ActionId each = 0; each < task_->action_count(); ++each) {
            write_name(task_->action_schemas[each], task_->action_arguments[each], each_name);
            actions_.intern(each_name);
        }
    });
    const auto found = actions_.find(name);
    if (found == no_id) throw InternalError("symmetry: an action has no image");
    return found;
}

ActionId Symmetry::map_action(ActionId action_id, const Indices& image) const {
    Indices name{task_->action_schemas[action_id]};
    for (auto object : task_->action_arguments[action_id]) name.push_back(image[object]);
    return action(name);
}

AtomId Symmetry::map_atom(AtomId atom, const Indices& image) const {
    if (!test_bit(moving_.data(), atom)) return atom;
    const auto moved = [&](auto member) { return object_members_[image[member_objects_[member]]]; };
    const auto [word, bit] = places_[atom];
    if (word == no_id) return image_atom(bit, moved);
    const auto member = word_members_[word];
    return slot_atom(moved(member), 64 * (word - key_begin_[member]) + bit);
}

std::vector<Word> Symmetry::map_state(const Word* state, const Indices& image) const {
    std::vector<Word> result(task_->word_count(), 0);
    for_each_bit(state, task_->word_count(), [&](AtomId atom) { set_bit(result.data(), map_atom(atom, image)); });
    return result;
}

}  // namespace gpaplan
