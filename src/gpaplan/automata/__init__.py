"""What prunes a search: automata, rule lists and filters of your own, and what they leave of a task.

filters         `TransitionFilter`: the contract, how a state is compared with it, and the state space under a filter
canonical       what a state and an action look like without names and numbers of objects
automaton       `PolicyAutomaton`: hyperedges between abstract states
rules           `RuleFilter`: rule lists; own_filter: a test of your own
explanation     what a filter makes of a state, and what it knows that is nearest to it
automaton_file  files; rule_file: those of rules
page            automata as text, pages and pictures; rule_page: rules
"""
