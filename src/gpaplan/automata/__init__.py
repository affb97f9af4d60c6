"""What prunes a search: automata, rule lists and filters of your own, and what they leave of a task.

filters                  `TransitionFilter`: the contract, and how a state is compared with it
abstraction, canonical   what a state and an action look like without names and numbers of objects
automaton                `PolicyAutomaton`: hyperedges between abstract states
rules, own_filter        `RuleFilter`: rule lists; a test of your own
constrained              a state space under a filter; what a filter accepts
automaton_file           files; rule_file: those of rules
nearness                 what an automaton knows that is nearest to a state
drawing, page            automata as text, pages and pictures; rule_page: rules
"""
