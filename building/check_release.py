"""``make release-check``: may this tree be released?

The version, the changelog, the citation and the tag name the same; the source distribution has what it should and
nothing else; the wheel is whole; the project's page can be rendered, says where the project lives, and has no link that
only works in the repository; every dependency has a licence that we know.
Each check gives what is wrong, in words; none wrong, and the exit code is 0.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import importlib.metadata
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent

_NEEDED = (
    *("README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "CMakeLists.txt", "Makefile", "pyproject.toml"),
    *(
        "src/gpaplan/version.py",
        "src/core/bindings/module.cpp",
        "tests/test_tooling.py",
        "docs/index.md",
        "building/smoke.py",
    ),
)
_FOREIGN = re.compile(
    r"(^|/)(build|dist|\.git|\.venv[^/]*|\.hypothesis|__pycache__|\.mypy_cache|\.ruff_cache|\.pytest_cache)/"
    r"|\.(sqlite|so|o|a|pyc|pem|key|env|log|core)$|(^|/)(\.env|\.pypirc|\.netrc|id_rsa[^/]*|_core\.pyi)$"
)
_PERMISSIVE = re.compile(
    r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|ISC|Zlib|HPND|Unlicense|0BSD)\b", re.IGNORECASE
)
_MAY_BE_GPL = {"elsewhere", "oracles"}
"""For tests only. Nobody gets them without asking, and nothing that is released needs them."""
_MOZILLA = {"certifi", "hypothesis", "tqdm", "pathspec"}
"""Under the Mozilla licence, which asks for nothing of those who only use a package."""


def main(arguments: list[str] | None = None) -> int:
    """Print what is wrong, or what was found to be right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tag", help="the name of the release's tag; else that of HEAD, if there is one")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the distributions are")
    options = parser.parse_args(arguments)
    tags = [options.tag] if options.tag else tags_of_head()
    checks = {
        "version": wrong_versions(ROOT, tags),
        "source distribution": wrong_source(options.dist, tracked(ROOT)),
        "wheel": wrong_wheel(options.dist),
        "project page": wrong_page(options.dist),
        "addresses": wrong_addresses(options.dist, released=bool(tags)),
        "licences": wrong_licences(ROOT),
    }
    bad = 0
    for name, found in checks.items():
        problems = list(found)
        bad += len(problems)
        print(f"{name}: {'as it should be' if not problems else ''}".rstrip())
        for problem in problems:
            print(f"  {problem}")
    return 1 if bad else 0


# --- the version ---


def version_of(root: Path) -> str:
    """The version, from the one place where it stands."""
    found = re.search(r'__version__ = "([^"]+)"', (root / "src/gpaplan/version.py").read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit("src/gpaplan/version.py has no version")
    return found[1]


def wrong_versions(root: Path, tags: Iterable[str]) -> Iterator[str]:
    """Where another version is named than that of the package."""
    version = version_of(root)
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[([^\]]+)\](.*)$", changelog, re.MULTILINE)
    released = [(name, rest) for name, rest in headings if name != "Unreleased"]
    if not released or released[0][0] != version:
        yield f"CHANGELOG.md begins with {released[0][0] if released else 'no version'}, not with {version}"
    cited = re.search(r"^version: \"?([^\"\n]+)", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    if cited is None or cited[1] != version:
        yield f"CITATION.cff has {'no version' if cited is None else cited[1]}, not {version}"
    for tag in tags:
        if tag != f"v{version}":
            yield f"the tag is {tag}, not v{version}"
        if released and not re.search(r"\d{4}-\d{2}-\d{2}", released[0][1]):
            yield f"CHANGELOG.md has no date for {version}, and a tag makes it a release"


def tags_of_head() -> list[str]:
    """The names of versions (v…) that the commit has."""
    found = git("tag", "--points-at", "HEAD", "--list", "v*")
    return [] if found is None else found.split()


def tracked(root: Path) -> list[str]:
    """The files of the repository; none where this is no checkout."""
    found = git("-C", str(root), "ls-files")
    return [] if found is None else found.splitlines()


def git(*words: str) -> str | None:
    """What git answers, or None where there is none to ask."""
    try:
        return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


# --- the distributions ---


def wrong_source(dist: Path, expected: Iterable[str]) -> Iterator[str]:
    """What is missing in the source distribution, and what is in it that should not be."""
    archives = sorted(dist.glob("*.tar.gz"))
    if len(archives) != 1:
        yield f"{len(archives)} source distributions in {dist.name}/, not one; run make wheel"
        return
    with tarfile.open(archives[0]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {*_NEEDED, *(name for name in expected if not name.startswith("."))}
    for name in sorted(wanted - names):
        yield f"{name} is missing"
    for name in sorted(names):
        if _FOREIGN.search(name):
            yield f"{name} should not be there"


def wrong_wheel(dist: Path) -> Iterator[str]:
    """What a wheel lacks, and what it has that nobody needs to run it."""
    wheels = sorted(dist.glob("*.whl"))
    if not wheels:
        yield f"no wheel in {dist.name}/; run make wheel"
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
        sources = {str(path.relative_to(ROOT / "src")).replace("\\", "/") for path in files_of_the_package()}
        for name in sorted(sources - set(names)):
            yield f"{wheel.name}: {name} is missing"
        if not any(re.fullmatch(r"gpaplan/_core\.(.*\.)?(so|pyd)", name) for name in names):
            yield f"{wheel.name}: the core is missing"
        for needed in ("gpaplan/_core.pyi", "gpaplan/py.typed"):
            if needed not in names:
                yield f"{wheel.name}: {needed} is missing"
        if not any(name.endswith("licenses/LICENSE") for name in names):
            yield f"{wheel.name}: the licence is missing"
        for name in names:
            if not re.match(r"gpaplan(/|-[^/]+\.dist-info/|\.libs/)", name):
                yield f"{wheel.name}: {name} should not be there"
        if "-linux_" in wheel.name:
            yield f"{wheel.name} runs on this machine only; auditwheel did not repair it"


def files_of_the_package() -> Iterator[Path]:
    """What is installed besides the core."""
    for path in (ROOT / "src" / "gpaplan").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".pyi", ".pyd"):
            yield path


def wrong_page(dist: Path) -> Iterator[str]:
    """What the index would not accept or could not show."""
    files = [str(path) for path in sorted(dist.glob("*")) if path.name.endswith((".whl", ".tar.gz"))]
    found = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], capture_output=True, text=True)
    if not files or found.returncode != 0:
        yield (found.stdout + found.stderr).strip() or "nothing to check"


def wrong_addresses(dist: Path, *, released: bool) -> Iterator[str]:
    """What the project's page on the index leads nowhere with: no address of the project, and links that are relative.

    While nothing is released there may be no address yet.
    """
    for path in sorted(dist.glob("*.tar.gz")) if released else ():
        with tarfile.open(path) as archive:
            member = next(
                (each for each in archive if each.name.count("/") == 1 and each.name.endswith("PKG-INFO")), None
            )
            file = None if member is None else archive.extractfile(member)
            about = email.message_from_bytes(b"" if file is None else file.read(), policy=email.policy.default)
        if not about.get_all("Project-URL"):
            yield f"{path.name} does not say where the project lives: fill in [project.urls] of pyproject.toml"
        links = relative_links(str(about.get_payload()))
        if links:
            yield (
                f"{path.name}: {len(links)} links of the project's page are relative, {links[0]} say: make the long "
                "description with absolute ones (docs/installing.md)"
            )


def relative_links(page: str) -> list[str]:
    """The links of a page in Markdown that lead nowhere outside the repository."""
    text = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:|#", target)]


# --- licences ---


def wrong_licences(root: Path) -> Iterator[str]:
    """Dependencies, and what these need, whose licence is not permissive. What is not installed is not seen."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra, needs in groups.items():
        if extra in _MAY_BE_GPL:
            continue
        for name in sorted(closure(needs)):
            licence = licence_of(name)
            if licence is not None and not is_permissive(name, licence):
                yield f"{name}, which {extra or 'gpaplan'} needs, has the licence {licence!r}"


def closure(requirements: Iterable[str]) -> set[str]:
    """The names of these packages and of all that they need, as far as they are installed."""
    found: set[str] = set()
    left = [name_of(each) for each in requirements]
    while left:
        name = left.pop()
        if name in found or name == "gpaplan":
            continue
        found.add(name)
        try:
            needs = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        left += [name_of(each) for each in needs if "extra ==" not in each]
    return found


def name_of(requirement: str) -> str:
    """The package's name in the one form that the index knows."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def licence_of(name: str) -> str | None:
    """What a package says of its licence, in short; None if it is not installed."""
    try:
        about = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return None
    classifiers = [each for each in about.get_all("Classifier") or [] if each.startswith("License ::")]
    (expression, *_), (text, *_) = (about.get_all(field) or [""] for field in ("License-Expression", "License"))
    stated = [expression, *classifiers, text.strip()[:200]]
    return "; ".join(each for each in stated if each)


def is_permissive(name: str, licence: str) -> bool:
    """Whether anybody may use and pass on what is under this licence."""
    if re.search(r"\b[AL]?GPL|GNU", licence):
        return False
    return bool(_PERMISSIVE.search(licence)) or (name in _MOZILLA and ("MPL" in licence or "Mozilla" in licence))


if __name__ == "__main__":
    sys.exit(main())
