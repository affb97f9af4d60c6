"""Policies, and what they are worth.

policy       `Policy`: which action in which state, by name, on representatives or on all states
policy_file  policies in files
page         the page that draws a policy
evaluation   `evaluate` and `verify`
explanation  what each action in a state is worth under a policy: `Policy.explain`
"""
