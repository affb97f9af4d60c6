"""Acting: using what was learned without a policy for every state.

actor       `Actor`: the next action for the state at hand
preference  which of several actions training used most
"""
