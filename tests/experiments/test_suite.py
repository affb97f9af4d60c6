"""Suites: what is run, under which keys, and what is said of mistakes in their files."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path

import pytest

from gpaplan.benchmarks import FAMILIES
from gpaplan.errors import DataError, GpaplanError, UsageError
from gpaplan.experiments.one_run import run_settings
from gpaplan.experiments.runner import _learning_job, _solving_job
from gpaplan.experiments.suite import Protocol
from gpaplan.experiments.suite_file import load_suite, packaged_suites
from gpaplan.learning.solving import TRAINING
from gpaplan.limits import Limits
from gpaplan.solving.solvers import make_solver
from gpaplan.spaces.state_space import SpaceSettings
from tests.experiments.samples import SMALL, bench, write_suite
from tests.paths import ROOT

PAPER = {"gripper": 12, "rover": 26, "schedule-ippc": 14, "keva-shah": 14, "delicate-can-shah": 12}


def test_the_paper_suite_has_the_papers_problems() -> None:
    suite = load_suite("paper")
    assert {plan.name: len(plan.test) for plan in suite.domains} == PAPER
    assert sum(PAPER.values()) == 78
    training = {plan.name: len(plan.training) for plan in suite.domains}
    assert training == {"gripper": 10, "rover": 10, "schedule-ippc": 3, "keva-shah": 6, "delicate-can-shah": 5}
    assert len(suite.runs()) == 78 * 3 * 2 * 10
    for plan in suite.domains:
        assert plan.protocol.solvers == ("lrtdp", "soft-flares", "vi")
        alone = load_suite(f"paper-{plan.name}")
        assert alone.domains == (plan,)


def test_the_first_encodings_have_the_same_problems() -> None:
    shaped = {plan.name: plan for plan in load_suite("paper").domains}
    first = load_suite("paper-first-encodings").domains
    assert [plan.name for plan in first] == ["keva", "rover", "schedule", "delicate-can", "gripper"]
    for plan in first:
        assert plan in load_suite(f"paper-{plan.name}").domains
        (other,) = (shaped[name] for name in shaped if (FAMILIES[name].paper_domain or name) == plan.name)
        for ours, theirs in ((plan.training, other.training), (plan.test, other.test)):
            assert [each.theta for each in ours] == [each.theta for each in theirs]
            assert [each.optimal for each in ours] == [each.optimal for each in theirs]
        assert plan.protocol == other.protocol


def test_the_defaults_are_the_papers_protocol_but_for_symmetry_and_cost() -> None:
    protocol = Protocol()
    assert (len(protocol.seeds), protocol.epsilon, protocol.heuristic) == (10, 1e-5, "ff")
    assert (protocol.time_limit, protocol.memory_limit) == (7200, 17180)
    assert protocol.memory_limit * 10**6 >= 16 * 2**30
    assert (protocol.trials, protocol.horizon) == (100, 100)
    assert protocol.solvers == ("lrtdp", "soft-flares")
    assert protocol.gpa == (False, True)
    assert (protocol.cost, protocol.symmetry) == ("auto", "auto")
    assert (protocol.give_up_after, protocol.once_at_limit) == (0, False)


@pytest.mark.parametrize("name", list(packaged_suites()))
def test_suites_of_the_package_are_sound(name: str) -> None:
    suite = load_suite(name)
    runs = suite.runs()
    assert suite.description
    assert len({run.key for run in runs}) == len(runs)
    for plan in suite.domains:
        assert plan.name in FAMILIES
        protocol = plan.protocol
        how = (protocol.symmetry, protocol.match, protocol.fallback)
        assert how == (("auto", "coarse", "turns") if name == "paper-best" else ("off", "strict", "full"))
        assert protocol.cost == "unit"
        for instance in plan.test:
            theta = tuple(map(int, instance.theta.split()))
            assert instance.optimal == FAMILIES[plan.name].optimal_cost(*theta)


def test_every_seed_comes_before_any_second_run(tmp_path: Path) -> None:
    runs = load_suite(str(write_suite(tmp_path, SMALL))).runs()
    assert [run.index for run in runs] == [0] * 6 + [1] * 6
    assert Counter((run.instance.label, run.gpa, run.seed) for run in runs).most_common(1)[0][1] == 1


def test_keys_are_what_they_were() -> None:
    """Files of results live on: a change of these keys would repeat every run in them."""
    run = load_suite("paper-gripper").override(runs=3, time_limit=600, memory_limit=8000).runs()[0]
    assert (run.instance.label, run.solver, run.gpa, run.seed) == ("gripper(1)", "lrtdp", False, 0)
    assert run.key == "8a7abfa2ddf0ad8b2d4124c7510b32c22c1e7745d8718de5774d70504d73e744"
    guided = load_suite("paper-gripper").override(runs=3, time_limit=600, memory_limit=8000).runs()[1]
    assert guided.gpa
    assert guided.key == "f164f8c39ebd77438f5c35b1bc1820f675a1ca833a2a6a169104382f021b9449"


def test_keys_depend_on_what_determines_a_run_and_on_nothing_else(tmp_path: Path) -> None:
    def keys(text: str, name: str = "sample", **changes: float) -> set[str]:
        suite = load_suite(str(write_suite(tmp_path, text, name))).override(**changes)  # type: ignore[arg-type]
        return {run.key for run in suite.runs()}

    base = keys(SMALL)
    assert keys(SMALL, "another") == base
    assert keys(SMALL, runs=1) < base < keys(SMALL, runs=3)
    assert keys(SMALL.replace("[[1], [2], [3]]", "[[3], [2], [1], [4]]")) > base
    assert not keys(SMALL, time_limit=61) & base
    assert not keys(SMALL, memory_limit=2001) & base
    for old, new in (
        ('["lrtdp"]', '["lrtdp"]\nheuristic = "lmcut"'),
        ('["lrtdp"]', '["lrtdp"]\nepsilon = 1e-4'),
        ('["lrtdp"]', '["lrtdp"]\ntrials = 10'),
        ('["lrtdp"]', '["lrtdp"]\nhorizon = 10'),
        ('"off"', '"auto"'),
        ('["lrtdp"]', '["soft-flares"]'),
        ("runs = 2", "seeds = [5, 6]"),
        ('generator = "gripper"', 'generator = "gripper"\nname = "other"'),
    ):
        assert not keys(SMALL.replace(old, new)) & base, new
    for old, new in (("[[1], [2]]", "[[1], [3]]"), ('["lrtdp"]', '["lrtdp"]\nties = "first"')):
        assert len(keys(SMALL.replace(old, new)) & base) == len(base) // 2, "only runs with the automaton change"


def test_a_suite_with_other_matching(tmp_path: Path) -> None:
    suite = load_suite(str(write_suite(tmp_path, SMALL)))
    strict = suite.override(match="strict")
    assert suite.override(match="coarse").runs() == suite.runs(), "that is what it does by itself"
    stated = load_suite(str(write_suite(tmp_path, SMALL.replace("runs = 2", 'runs = 2\nmatch = "strict"'))))
    assert [run.key for run in strict.runs()] == [run.key for run in stated.runs()]
    changed = {run.gpa for run, before in zip(strict.runs(), suite.runs(), strict=True) if run.key != before.key}
    assert changed == {True}, "runs without the automaton are the same"
    with pytest.raises(UsageError, match="unknown match 'loose';  there are strict, coarse"):
        suite.override(match="loose")


def test_every_setting_of_a_run_reaches_its_process_and_its_record(tmp_path: Path) -> None:
    """Whatever the protocol does not say of the domain as a whole is a setting of each run."""
    text = SMALL.replace('"off"', '"auto"').replace('["lrtdp"]', '["lrtdp", "vi"]\nepsilon = 1e-4\nheuristic = "hmax"')
    suite = load_suite(str(write_suite(tmp_path, text)))
    whole = {"solvers", "gpa", "seeds", "ties", "goals", "give_up_after", "once_at_limit"}
    every = {each.name for each in fields(Protocol)} - whole | {"solver", "seed"}
    recorded = {"cost": "cost_mode", "fallback": "fallback_mode"}
    for run in suite.runs():
        names = every if run.gpa else every - {"match", "fallback"}
        job, described = _solving_job(run, None), run.described()
        assert set(job) == names | {"kind", "problem", "automaton"}
        assert {name: described[recorded.get(name, name)] for name in names} == run.settings
        assert (described["heuristic"] is None) == (run.solver == "vi")
        settings = run_settings(json.loads(json.dumps(job)))
        assert settings.space == SpaceSettings(cost="unit", symmetry="auto")
        assert settings.solver == make_solver(run.solver, 1e-4)
        assert settings.limits == Limits(60, 2000)
        assert (settings.seed, settings.heuristic) == (run.seed, "hmax" if run.solver == "lrtdp" else "blind")
    training = run_settings(_learning_job(suite.domains[0]))
    assert training == replace(TRAINING, limits=Limits(60, 2000), space=SpaceSettings(cost="unit", symmetry="auto"))


def test_settings_of_a_domain_come_on_top_of_those_of_the_suite(tmp_path: Path) -> None:
    text = (
        SMALL
        + '\n[[domain]]\nname = "brief"\ngenerator = "gripper"\ngpa = false\ntest = [[1]]\ntime_limit = 5\nruns = 1\n'
    )
    first, second = load_suite(str(write_suite(tmp_path, text))).domains
    assert (first.protocol.time_limit, first.protocol.gpa, first.protocol.seeds) == (60, (False, True), (0, 1))
    assert (second.protocol.time_limit, second.protocol.gpa, second.protocol.seeds) == (5, (False,), (0,))
    assert second.protocol.solvers == first.protocol.solvers


def test_a_suite_may_include_others(tmp_path: Path) -> None:
    write_suite(tmp_path, SMALL, "inner")
    outer = 'include = ["inner.toml", "paper-keva"]\n'
    suite = load_suite(str(write_suite(tmp_path, outer, "outer")))
    assert [plan.name for plan in suite.domains] == ["gripper", "keva"]
    assert [plan.suite for plan in suite.domains] == ["inner", "paper-keva"]
    write_suite(tmp_path, 'include = ["outer.toml", "inner.toml"]', "twice")
    assert len(load_suite(str(tmp_path / "twice.toml")).domains) == 2


def test_a_problem_may_be_listed_again_with_other_names(tmp_path: Path) -> None:
    text = SMALL.replace("[[1], [2], [3]]", "[[2], { theta = [2], seed = 4 }]")
    first, second = load_suite(str(write_suite(tmp_path, text))).domains[0].test
    assert (first.label, second.label) == ("gripper(2)", "gripper(2) seed 4")
    assert first.domain_hash == second.domain_hash
    assert first.problem_hash != second.problem_hash


def test_more_runs_than_listed_seeds(tmp_path: Path) -> None:
    suite = load_suite(str(write_suite(tmp_path, SMALL.replace("runs = 2", "seeds = [7, 3]"))))
    assert suite.override(runs=1).domains[0].protocol.seeds == (7,)
    with pytest.raises(UsageError, match="3 runs need 3 seeds"):
        suite.override(runs=3)
    counted = load_suite(str(write_suite(tmp_path, SMALL.replace("runs = 2", "seeds = [7, 8]"))))
    assert counted.override(runs=3).domains[0].protocol.seeds == (7, 8, 9)


def test_a_part_of_a_suite() -> None:
    paper = load_suite("paper").override(runs=1)
    part = paper.part(domains=["keva-shah", "gripper"], solvers=["vi"])
    assert {plan.name for plan in part.domains} == {"keva-shah", "gripper"}
    assert {run.solver for run in part.runs()} == {"vi"}
    assert len(part.runs()) == 2 * (14 + 12)
    others = [name for name in PAPER if name not in ("keva-shah", "gripper")]
    rest = [paper.part(solvers=["lrtdp", "soft-flares"]), paper.part(domains=others)]
    keys = {run.key for each in (part, *rest) for run in each.runs()}
    assert keys == {run.key for run in paper.runs()}, "the parts are recorded as the whole is"
    assert paper.part().runs() == paper.runs()


def test_what_is_wrong_with_a_part_is_said(tmp_path: Path) -> None:
    text = SMALL + '[[domain]]\ngenerator = "keva"\nsolvers = ["vi"]\ntraining = [[2, 1]]\ntest = [[4, 2]]\n'
    suite = load_suite(str(write_suite(tmp_path, text, "two")))
    with pytest.raises(UsageError, match="suite 'two' has no domain 'griper';  did you mean 'gripper'"):
        suite.part(domains=["griper"])
    with pytest.raises(UsageError, match="suite 'two' has no solver 'ilao';  there are "):
        suite.part(solvers=["ilao"])
    with pytest.raises(UsageError, match="suite 'two' has no runs of gripper with vi"):
        suite.part(domains=["gripper"], solvers=["vi"])


# --- PPDDL files ---


def test_problems_from_files_are_seen_from_the_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpaplan.benchmarks import generate

    folder = tmp_path / "tasks"
    for balls in (1, 2):
        generate("gripper", balls).write(folder)
    text = '[[domain]]\nfile = "domain.ppddl"\ntraining = ["gripper-1.ppddl"]\ntest = ["gripper-2.ppddl"]\n'
    path = write_suite(folder, text)
    monkeypatch.chdir(tmp_path)
    (plan,) = load_suite(str(path.relative_to(tmp_path))).domains
    assert (plan.name, plan.test[0].label, plan.test[0].theta) == ("gripper", "gripper-2", "")
    generated = load_suite("paper-gripper").domains[0].test[1]
    assert plan.test[0].problem_hash == generated.problem_hash


def test_a_file_with_several_problems(tmp_path: Path) -> None:
    text = (ROOT / "tests" / "domains" / "two-problems.ppddl").read_text(encoding="utf-8")
    (tmp_path / "both.ppddl").write_text(text, encoding="utf-8")
    entries = ", ".join(f'{{ file = "both.ppddl", problem = "{name}" }}' for name in ("short", "long"))
    path = write_suite(tmp_path, f'gpa = [false]\n[[domain]]\nfile = "both.ppddl"\ntest = [{entries}]\n')
    suite = load_suite(str(path))
    assert [instance.label for instance in suite.domains[0].test] == ["both:short", "both:long"]
    assert len({run.key for run in suite.runs()}) == len(suite.runs())


def test_mistakes_in_ppddl_files_are_found_before_anything_runs(tmp_path: Path) -> None:
    from gpaplan.benchmarks import generate

    generate("gripper", 1).write(tmp_path)
    problem = tmp_path / "gripper-1.ppddl"
    problem.write_text(problem.read_text().replace("robot-in", "robot-inn"))
    write_suite(tmp_path, 'gpa = [false]\n[[domain]]\nfile = "domain.ppddl"\ntest = ["gripper-1.ppddl"]\n')
    done = bench(tmp_path, "sample.toml")
    assert done.returncode == 30
    assert "did you mean 'robot-in'?" in done.stderr
    assert not (tmp_path / "sample.csv").exists()


# --- mistakes ---

DOMAIN = '[[domain]]\ngenerator = "gripper"\ntraining = [[1]]\ntest = [[1]]\n'

MISTAKES = {
    "not TOML": ("runs = \n", ":1:8: not TOML: Invalid value"),
    "cut short": ('[[domain]]\ngenerator = "grip', "not TOML"),
    "nothing to run": ("runs = 3\n", "there is nothing to run"),
    "unknown key": (f"time-limit = 5\n{DOMAIN}", "unknown key 'time-limit';  did you mean 'time_limit'?"),
    "unknown key of a domain": (DOMAIN + "tests = [[1]]\n", "domain[0]: unknown key 'tests';  did you mean 'test'?"),
    "solver": (f'solver = "vi"\n{DOMAIN}', "did you mean 'solvers', a list?"),
    "unknown solver": (
        f'solvers = ["lrtpd"]\n{DOMAIN}',
        "solvers[0]: \"lrtpd\" is not known here;  did you mean 'lrtdp'?",
    ),
    "solvers no list": (f'solvers = "vi"\n{DOMAIN}', "solvers: must be a list of some of vi, lao"),
    "no solvers": (f"solvers = []\n{DOMAIN}", "solvers: is empty"),
    "a solver twice": (f'solvers = ["vi", "vi"]\n{DOMAIN}', "solvers: one of them occurs twice"),
    "unknown heuristic": (f'heuristic = "fff"\n{DOMAIN}', "did you mean 'ff'?"),
    "runs": (f"runs = 0\n{DOMAIN}", "runs: must be a whole number from 1 to 100000, not 0"),
    "runs a text": (f'runs = "3"\n{DOMAIN}', 'runs: must be a whole number from 1 to 100000, not "3"'),
    "runs true": (f"runs = true\n{DOMAIN}", "runs: must be a whole number from 1 to 100000, not true"),
    "runs and seeds": (f"runs = 3\nseeds = [1, 2]\n{DOMAIN}", "runs: is 3, and there are 2 seeds"),
    "seeds twice": (f"seeds = [1, 1]\n{DOMAIN}", "seeds: one of them occurs twice"),
    "no seeds": (f"seeds = []\n{DOMAIN}", "seeds: is empty"),
    "epsilon": (f"epsilon = 0\n{DOMAIN}", "epsilon: must be a positive number, not 0"),
    "epsilon infinite": (f"epsilon = inf\n{DOMAIN}", "epsilon: must be a positive number, not inf"),
    "time limit": (f"time_limit = -5\n{DOMAIN}", "time_limit: must be a positive number, not -5"),
    "memory limit": (f'memory_limit = "16 GiB"\n{DOMAIN}', 'memory_limit: must be a positive number, not "16 GiB"'),
    "gpa": (f'gpa = "both"\n{DOMAIN}', 'gpa: must be [false, true], [false] or [true], not "both"'),
    "symmetry": (f'symmetry = "yes"\n{DOMAIN}', 'symmetry: "yes" is not known here;  there are auto, off, on'),
    "ties": (f'ties = "harmonise"\n{DOMAIN}', "did you mean 'harmonize'?"),
    "goals": (f"goals = 1\n{DOMAIN}", "goals: must be true or false, not 1"),
    "cost": (f'cost = "units"\n{DOMAIN}', "did you mean 'unit'?"),
    "name": (f'name = "a/b"\n{DOMAIN}', "name: 'a/b' is no name"),
    "description": (f"description = 5\n{DOMAIN}", "description: must be a text in quotes, not 5"),
    "domain no list": ('domain = "gripper"\n', "domain: must be a list of tables, each under a line [[domain]]"),
    "single brackets": (DOMAIN.replace("[[domain]]", "[domain]"), "under a line [[domain]]"),
    "domains": (DOMAIN.replace("[[domain]]", "[[domains]]"), "under a line [[domain]]"),
    "no source": ("[[domain]]\ntest = [[1]]\n", "either 'generator', a benchmark domain, or 'file'"),
    "two sources": (DOMAIN + 'file = "d.ppddl"\n', "both are given"),
    "unknown generator": (
        DOMAIN.replace("gripper", "griper"),
        "domain[0].generator: unknown benchmark domain 'griper'",
    ),
    "no test": ('[[domain]]\ngenerator = "gripper"\ntraining = [[1]]\n', "'test' lists the problems to be solved"),
    "no training": ('[[domain]]\ngenerator = "gripper"\ntest = [[1]]\n', "so use gpa = [false]"),
    "theta no list": (
        DOMAIN.replace("test = [[1]]", "test = [1]"),
        "domain[0].test[0].theta: must be a list of whole numbers",
    ),
    "theta too long": (
        DOMAIN.replace("test = [[1]]", "test = [[1, 2]]"),
        "domain[0].test[0]: gripper takes 1 parameter",
    ),
    "theta too small": (
        DOMAIN.replace("test = [[1]]", "test = [[2], [0]]"),
        "domain[0].test[1]: gripper: 'balls' must",
    ),
    "theta twice": (
        DOMAIN.replace("test = [[1]]", "test = [[2], [2]]"),
        "domain[0].test[1]: is the same problem as [0]",
    ),
    "theta a file": (
        DOMAIN.replace("test = [[1]]", 'test = ["p.ppddl"]'),
        "domain[0].test[0].theta: must be a list of whole numbers such as [1, 4], not",
    ),
    "key of a problem": (
        DOMAIN.replace("test = [[1]]", "test = [{ theta = [1], sed = 1 }]"),
        "domain[0].test[0]: unknown key 'sed';  did you mean 'seed'?",
    ),
    "no theta": (DOMAIN.replace("test = [[1]]", "test = [{ seed = 1 }]"), "domain[0].test[0].theta: is missing"),
    "no such file": ('gpa = [false]\n[[domain]]\nfile = "d.ppddl"\ntest = ["p.ppddl"]\n', "d.ppddl: no such file"),
    "two domains of a name": (DOMAIN + DOMAIN.replace("[[1]]", "[[2]]"), "two domains are called 'gripper'"),
    "include itself": ('include = ["mistaken.toml"]\n', "include[0]: 'mistaken.toml' includes itself"),
    "include nothing": ('include = ["paper-griper"]\n', "did you mean 'paper-gripper'?"),
    "include no list": ('include = "paper"\n', "include: must be a list of the names or files of suites"),
    "settings of included": ('include = ["quick"]\nruns = 3\n', "included suites keep their own settings"),
}


@pytest.mark.parametrize("name", list(MISTAKES))
def test_mistakes_are_named_with_their_place(name: str, tmp_path: Path) -> None:
    text, message = MISTAKES[name]
    path = write_suite(tmp_path, text, "mistaken")
    with pytest.raises(GpaplanError) as caught:
        load_suite(str(path))
    assert isinstance(caught.value, DataError)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00", b"runs = 1\n" * 200_000, b"a = " + b"[" * 5000], ids=["bytes", "long", "deep"]
)
def test_files_that_are_no_suites(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "strange.toml"
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"strange\.toml"):
        load_suite(str(path))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 31, "which suite?"),
        (["papr"], 31, "there is no suite 'papr';  did you mean 'paper'?"),
        (["nowhere/suite.toml"], 31, "there is no suite file 'nowhere/suite.toml'"),
        (["mistaken.toml"], 35, "mistaken.toml: unknown key 'rns'"),
        (["quick", "--runs", "0"], 31, "--runs"),
        (["quick", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"], 31, "--jobs is for runs on this machine"),
        (["quick", "--scheduler", "nowhere"], 31, "is not the address of a Dask scheduler"),
        (["quick", "--output", "nowhere/x.csv"], 31, "cannot write 'nowhere/x.csv'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_mistakes_on_the_command_line(arguments: list[str], code: int, message: str, tmp_path: Path) -> None:
    write_suite(tmp_path, f"rns = 3\n{DOMAIN}", "mistaken")
    done = bench(tmp_path, *arguments, "--json")
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["status"] == "error"
