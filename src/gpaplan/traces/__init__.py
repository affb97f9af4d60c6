"""Trials of a policy: what they cost, and those that were kept, to be looked at step by step.

trace   `Trace`, its `Trial`s and their `TrialStep`s, as text and in a file
trials  `simulate`, and `record_trials`, which keeps all steps
page    the page to step through a trial
"""
