"""Trials that were kept, to be looked at step by step.

trace       `Trace`, its `Trial`s and their `TrialStep`s
trace_file  traces in files
recording   `record_trials`: the first trials of a simulation
page        the page to step through a trial
summary     a trace as text
"""
