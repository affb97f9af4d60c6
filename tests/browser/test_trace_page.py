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

LEFT, RIGHT, HOME, END, DOWN, UP = "\ue012", "\ue014", "\ue011", "\ue010", "\ue00f", "\ue00e"


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


def check(page: Page, trial: Trial, position: int) -> None:
    """What is seen is what the trial has at a position."""
    state = list(trial.states())[position]
    assert sorted(page.texts("#now .state li")) == sorted(map(str, state))
    spent = sum(step.cost for step in trial.steps[:position])
    assert page.find("#where").text == f"step {position} of {len(trial.steps)}, cost {spent:g}"
    assert page.find(".cost-so-far").text == f"Cost so far: {spent:g}"
    assert page.find("#position").get_attribute("value") == str(position)
    assert page.texts("#path tr.here td")[0] == str(position)
    if position > 0:
        last = trial.steps[position - 1]
        assert page.find(".last-action .action-name").text == str(last.action)
        assert page.texts("#now .changes .gained") == [str(atom) for atom in last.added]
        assert page.texts("#now .changes .lost") == [str(atom) for atom in last.deleted]
        assert sorted(page.texts("#now .state .new")) == sorted(map(str, last.added))
    if position < len(trial.steps):
        assert page.find(".next-action").text == str(trial.steps[position].action)
    else:
        assert f"The trial costs {trial.cost:g}." in page.find(".end").text


def test_the_keyboard_steps_through_a_trial(page: Page) -> None:
    page.show_text(TRACE.to_html())
    trial = TRACE.trials[0]
    assert page.driver.title == "gripper-3: trace"
    for position in range(len(trial.steps) + 1):
        check(page, trial, position)
        page.press(RIGHT)
    check(page, trial, len(trial.steps))
    assert page.find(".end").text.startswith("The end: the goal is reached.")
    page.press(LEFT)
    check(page, trial, len(trial.steps) - 1)
    page.press(HOME)
    check(page, trial, 0)
    page.press(END)
    check(page, trial, len(trial.steps))


def test_buttons_the_slider_and_the_list_do_the_same(page: Page) -> None:
    page.show_text(TRACE.to_html())
    trial = TRACE.trials[0]
    assert not page.find("#previous").is_enabled()
    page.find("#next").click()
    check(page, trial, 1)
    page.find("#last").click()
    check(page, trial, len(trial.steps))
    assert not page.find("#next").is_enabled()
    page.find("#previous").click()
    page.find("#first").click()
    check(page, trial, 0)
    page.find("#position").click()
    middle = int(page.find("#position").get_attribute("value"))
    assert 0 < middle < len(trial.steps)
    check(page, trial, middle)
    page.press(RIGHT)
    check(page, trial, middle + 1)
    page.all("#path tbody tr")[2].click()
    check(page, trial, 2)


def test_another_trial_is_chosen(page: Page) -> None:
    from selenium.webdriver.support.ui import Select

    page.show_text(TRACE.to_html())
    choice = Select(page.find("#trial"))
    assert len(choice.options) == 4
    for number in (2, 0, 3):
        choice.select_by_index(number)
        check(page, TRACE.trials[number], 0)
        page.find("#next").click()
        check(page, TRACE.trials[number], 1)
    page.press(UP)
    check(page, TRACE.trials[2], 0)
    page.press(DOWN, DOWN, DOWN)
    check(page, TRACE.trials[3], 0)


def test_the_vertex_of_the_automaton_is_highlighted(page: Page) -> None:
    trace = with_automaton()
    page.show_text(trace.to_html())
    assert trace.automaton is not None
    assert len(page.all("svg .vertex")) == trace.automaton.sizes["vertices"]
    for position, step in enumerate(trace.trials[0].steps):
        assert [str(page.run("return arguments[0].getAttribute('href')", each)) for each in page.all("svg .here")] == [
            f"#{step.vertex}"
        ]
        assert page.texts(".why dd") == ["policy", step.reason, step.vertex, f"{step.value:g}", "0.5 ms"]
        assert page.texts("#now .words li")
        check(page, trace.trials[0], position)
        page.press(RIGHT)
    assert page.all("svg .here") == []


def test_without_an_automaton_there_is_no_drawing(page: Page) -> None:
    page.show_text(TRACE.to_html())
    assert not page.find("#graph").is_displayed()


def test_a_trace_without_trials_and_a_trial_without_steps(page: Page) -> None:
    page.show_text(replace(TRACE, trials=()).to_html())
    assert page.find("#empty").is_displayed()
    assert not page.find("#controls").is_displayed()
    trial = Trial(0, frozenset(), (), "undefined", 0.0)
    page.show_text(replace(TRACE, trials=(trial,)).to_html())
    check(page, trial, 0)
    assert "the policy is undefined here" in page.find(".end").text


def test_on_a_phone_everything_is_in_reach(page: Page) -> None:
    page.resize(360, 640)
    page.show_text(with_automaton().to_html())
    assert page.run("return document.documentElement.scrollWidth") == 360
    page.find("#next").click()
    check(page, with_automaton().trials[0], 1)
    page.run("document.getElementById('graph').scrollIntoView()")
    header = page.run("return document.querySelector('header').getBoundingClientRect().toJSON()")
    assert header["top"] == 0, "the buttons stay in sight"
    assert header["height"] < 200
    page.find("#next").click()
    assert page.find("#where").text.startswith("step 2 ")
    assert len(page.all("svg a[href='#v2'].here")) == 1
    page.resize(None, None)


def test_names_are_shown_and_not_run(page: Page) -> None:
    atom, action = GroundAtom(HOSTILE, (HOSTILE,)), GroundAction(HOSTILE, (HOSTILE,))
    step = TrialStep(action, 1.0, (atom,), (), HOSTILE, HOSTILE, "v0", 1.0, 1.0)
    trace: Any = Trace(HOSTILE, HOSTILE, HOSTILE, (Trial(1, frozenset(), (step, step), "goal", 2.0),), hostile())
    page.show_text(trace.to_html())
    assert page.find("h1").get_attribute("textContent") == HOSTILE
    for _ in range(3):
        assert HOSTILE in str(page.find("main").get_attribute("textContent"))
        page.press(RIGHT)
    assert page.run("return window.hacked === undefined")
    assert page.all("img") == []
    assert len(page.all("script")) == 3
