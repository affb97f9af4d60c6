"""How many actions an upper bound could take out of a proof: those of the states that a known policy meets.

A policy that was found before says what each of its states costs at the most, and of no other state. In those states
an action whose lower bound is above that need not be looked at again. For each problem the default search finds a
policy, improved LAO* with the best heuristic proves an optimal one, and the states and the (state, action) pairs of the
proof are counted that belong to states of the first policy.

    python bench/elimination.py
    python bench/elimination.py DOMAIN PROBLEM
"""

from __future__ import annotations

from gpaplan import GroundTask, solve
from measuring import generated, label, options, print_head, print_row, read

PROBLEMS: list[tuple[str, tuple[int, ...]]] = [
    ("gripper", (8,)),
    ("rover", (1, 4, 8, 2)),
    ("schedule", (1, 7)),
    ("triangle-tireworld", (4,)),
    ("blocksworld", (7,)),
    ("delivery", (3, 16, 3, 2, 1)),
    ("cosanostra", (6,)),
]


def measure(task: GroundTask) -> tuple[int, int, int, int]:
    """States and pairs of the proof, and those of them that are the policy's."""
    known = solve(task, symmetry="off")
    space = solve(task, "ilao", heuristic="best", symmetry="off").space
    pairs = space.core.pair_count
    shared = [state for state in map(space.state, known.policy) if space.core.is_expanded(state)]
    return space.core.expanded_count, pairs, len(shared), sum(len(space.transitions(state)) for state in shared)


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="PPDDL files, a domain and a problem")
    files = parser.parse_args().files
    rows = [(label(name, theta), generated(name, theta)) for name, theta in PROBLEMS]
    if files:
        rows = [(files[-1], read(*files))]
    print_head("<task", "states", "pairs", "of the policy", "their pairs", "share of pairs")
    for name, task in rows:
        states, pairs, of_policy, their_pairs = measure(task)
        share = f"{100 * their_pairs / pairs:.1f} %"
        print_row(name, f"{states:,}", f"{pairs:,}", f"{of_policy:,}", f"{their_pairs:,}", share)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
