#include "grounding/lifted.hpp"

namespace gpaplan {

namespace {

class Decoder {
public:
    Decoder(const Code& code, const LiftedTask& task) : code_(code), task_(task) {}

    LiftedNode node() {
        using enum LiftedKind;
        LiftedNode node;
        node.kind = static_cast<LiftedKind>(next());
        switch (node.kind) {
            case atom:
            case not_atom:
            case add:
            case remove:
                node.symbol = index();
                node.terms = terms(task_.predicate_arities.at(node.symbol));
                break;
            case equal:
            case not_equal:
                node.terms = terms(2);
                break;
            case conjunction:
            case disjunction:
                for (auto count = index(); count > 0; --count) node.children.push_back(this->node());
                break;
            case forall:
            case exists:
                node.symbol = index();
                node.children.push_back(this->node());
                break;
            case when:
                for (int child = 0; child < 2; ++child) node.children.push_back(this->node());
                break;
            case probabilistic:
                for (auto count = index(); count > 0; --count) {
                    node.numbers.push_back(index());
                    node.children.push_back(this->node());
                }
                break;
            case cost:
                node.symbol = index();
                break;
            case cost_function:
                node.symbol = index();
                node.sign = next();
                node.terms = terms(task_.function_arities.at(node.symbol));
                break;
            default:
                throw InternalError("lifted task: unknown code");
        }
        return node;
    }

    bool is_at_end() const { return at_ == code_.size(); }

private:
    std::int32_t next() {
        if (is_at_end()) throw InternalError("lifted task: code ends too early");
        return code_[at_++];
    }
    std::uint32_t index() {
        const auto value = next();
        if (value < 0) throw InternalError("lifted task: negative index");
        return static_cast<std::uint32_t>(value);
    }
    std::vector<std::int32_t> terms(std::uint32_t count) {
        std::vector<std::int32_t> result;
        for (; count > 0; --count) result.push_back(next());
        return result;
    }

    const Code& code_;
    const LiftedTask& task_;
    std::size_t at_ = 0;
};

}  // namespace

LiftedNode decode(const Code& code, const LiftedTask& task) {
    Decoder decoder(code, task);
    auto node = decoder.node();
    if (!decoder.is_at_end()) throw InternalError("lifted task: code goes on after its end");
    return node;
}

}  // namespace gpaplan
