"""Policies, and what they are worth.

policy       `Policy`: which action in which state, by name
policy_file  policies in files
page         the page that draws a policy
unfolding    from a policy on representatives to one on all states
evaluation   `evaluate`, `verify` and `simulate`
explanation  what each action in a state is worth under a policy: `Policy.explain`
"""
