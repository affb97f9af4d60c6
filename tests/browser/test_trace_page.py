"""The page of a trace in a real browser: stepping through trials."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpaplan import GroundAction, GroundAtom, Trace, ground, record_trials, solve
from gpaplan.benchmarks import generate
from gpaplan.traces.trace import Trial, TrialStep
from tests.browser.conftest import Page
from tests.policy_automata import HOSTILE, hostile, learned

pytestmark = pytest.mark.browser

LEFT, RIGHT, HOME, END = "\ue012", "\ue014", "\ue011", "\ue010"


def gripper_trace() -> Trace:
    benchmark = generate("gripper", 3)
    task = ground(benchmark.domain, benchmark.problem)
    return record_trials(task, solve(task).policy, trials=4, seed=2)


TRACE = gripper_trace()


def with_automaton() -> Trace:
    automaton = learned("gripper", 1, 2, 3)
    steps = tuple(
        replace(step, vertex=f"v{i}", reason=f"reason {i}", value=i / 4, milliseconds=0.5)
        for i, step in enumerate(TRACE.trials[0].steps[: len(automaton.vertices)])
    )
    return replace(TRACE, trials=(replace(TRACE.trials[0], steps=steps),), automaton=automaton)


def test_keys_buttons_and_clicks_step_through_trials(page: Page) -> None:
    page.show_text(TRACE.to_html())
    trial = TRACE.trials[0]
    assert page.driver.title == "gripper-3: trace"
    assert len(page.all(".step")) == sum(len(each.steps) for each in TRACE.trials)
    for position, step in enumerate(trial.steps, 1):
        spent = sum(each.cost for each in trial.steps[:position])
        assert page.find("#where").text == f"trial 1, step {position} of {len(trial.steps)}, cost {spent:g}"
        assert page.find(".step.here b").text == str(step.action)
        assert page.find(".step.here .changes").text.count("+ ") == len(step.added)
        page.press(RIGHT)
    assert page.find("#where").text.startswith("trial 2, step 1 "), "the next trial follows"
    page.press(LEFT)
    assert page.find("#where").text.startswith("trial 1, ")
    page.press(END)
    assert page.find("#where").text.startswith("trial 4, ")
    page.press(HOME)
    page.find("#next").click()
    page.find("#previous").click()
    assert page.find("#where").text.startswith("trial 1, step 1 ")
    page.all(".step")[2].click()
    assert page.find("#where").text.startswith("trial 1, step 3 ")


def test_the_vertex_of_the_automaton_is_marked(page: Page) -> None:
    trace = with_automaton()
    page.show_text(trace.to_html())
    assert trace.automaton is not None
    assert len(page.all("svg .vertex")) == trace.automaton.sizes["vertices"]
    for step in trace.trials[0].steps:
        assert len(page.all(f"svg a[href='#{step.vertex}'].here")) == len(page.all("svg .here")) == 1
        assert page.texts(".step.here dd") == ["policy", step.reason, step.vertex, f"{step.value:g}", "0.5 ms"]
        page.press(RIGHT)


def test_a_trace_without_trials_and_a_trial_without_steps(page: Page) -> None:
    page.show_text(replace(TRACE, trials=()).to_html())
    assert page.all(".step") == page.all("svg") == []
    page.show_text(replace(TRACE, trials=(Trial(0, frozenset(), (), "undefined", 0.0),)).to_html())
    assert "the policy is undefined here" in page.find("summary").text


def test_names_are_shown_and_not_run(page: Page) -> None:
    atom, action = GroundAtom(HOSTILE, (HOSTILE,)), GroundAction(HOSTILE, (HOSTILE,))
    step = TrialStep(action, 1.0, (atom,), (), HOSTILE, HOSTILE, "v0", 1.0, 1.0)
    trace: Any = Trace(HOSTILE, HOSTILE, HOSTILE, (Trial(1, frozenset(), (step, step), "goal", 2.0),), hostile())
    page.show_text(trace.to_html())
    assert page.find("h1").get_attribute("textContent") == HOSTILE
    assert HOSTILE in str(page.find(".step").get_attribute("textContent"))
    assert page.run("return window.hacked === undefined")
    assert page.all("img") == []
    assert len(page.all("script")) == 1
