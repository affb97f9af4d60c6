#include "grounding/lifted.hpp"

namespace gpaplan {

namespace {

class Decoder {
public:
    Decoder(const Code& code, const LiftedTask& task) : code_(code), task_(task) {}

    FormulaNode formula() {
        FormulaNode node;
        node.kind = static_cast<FormulaKind>(next());
        switch (node.kind) {
            case FormulaKind::atom:
            case FormulaKind::not_atom:
                node.symbol = index();
                node.terms = terms(task_.predicate_arities.at(node.symbol));
                break;
            case FormulaKind::equal:
            case FormulaKind::not_equal:
                node.terms = terms(2);
                break;
            case FormulaKind::conjunction:
            case FormulaKind::disjunction:
                for (auto count = index(); count > 0; --count) node.children.push_back(formula());
                break;
            case FormulaKind::forall:
            case FormulaKind::exists:
                node.symbol = index();
                node.children.push_back(formula());
                break;
            default:
                throw InternalError("lifted task: unknown formula code");
        }
        return node;
    }

    EffectNode effect() {
        EffectNode node;
        node.kind = static_cast<EffectKind>(next());
        switch (node.kind) {
            case EffectKind::add:
            case EffectKind::remove:
                node.symbol = index();
                node.terms = terms(task_.predicate_arities.at(node.symbol));
                break;
            case EffectKind::conjunction:
                for (auto count = index(); count > 0; --count) node.children.push_back(effect());
                break;
            case EffectKind::forall:
                node.symbol = index();
                node.children.push_back(effect());
                break;
            case EffectKind::when:
                node.condition = formula();
                node.children.push_back(effect());
                break;
            case EffectKind::probabilistic:
                for (auto count = index(); count > 0; --count) {
                    node.numbers.push_back(index());
                    node.children.push_back(effect());
                }
                break;
            case EffectKind::cost:
                node.symbol = index();
                break;
            case EffectKind::cost_function:
                node.symbol = index();
                node.sign = next();
                node.terms = terms(task_.function_arities.at(node.symbol));
                break;
            default:
                throw InternalError("lifted task: unknown effect code");
        }
        return node;
    }

    void end() const {
        if (at_ != code_.size()) throw InternalError("lifted task: code goes on after its end");
    }

private:
    std::int32_t next() {
        if (at_ >= code_.size()) throw InternalError("lifted task: code ends too early");
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

FormulaNode decode_formula(const Code& code, const LiftedTask& task) {
    Decoder decoder(code, task);
    auto node = decoder.formula();
    decoder.end();
    return node;
}

EffectNode decode_effect(const Code& code, const LiftedTask& task) {
    Decoder decoder(code, task);
    auto node = decoder.effect();
    decoder.end();
    return node;
}

}  // namespace gpaplan
