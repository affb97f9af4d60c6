"""Acting: using what was learned without a policy for every state.

actor    `Actor`: the next action for the state at hand, by policy, automaton, or a look ahead
view     what an actor sees of a task: values, and a look ahead
session  a conversation with an actor, as JSON lines
trials   `simulate_acting`: how often, at what cost and how fast an actor reaches the goal
"""
