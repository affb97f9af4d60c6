"""PPDDL in colours, for the site: what Pygments needs to know of it."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments import lexers, token  # type: ignore[import-untyped, unused-ignore]
from pygments.lexer import RegexLexer, words  # type: ignore[import-untyped, unused-ignore]

__all__ = ["PPDDLLexer"]  # from which Pygments takes all

_WORDS = ("define", "domain", "problem", "and", "or", "not", "imply", "forall", "exists", "when", "either")
_EFFECTS = ("probabilistic", "increase", "decrease", "minimize", "maximize", "assign")


class PPDDLLexer(RegexLexer):  # type: ignore[misc, unused-ignore]
    """Comments, keywords, variables, types, numbers and names."""

    name = "PPDDL"
    aliases: ClassVar[list[str]] = ["ppddl", "pddl"]
    filenames: ClassVar[list[str]] = ["*.ppddl", "*.pddl"]
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r";.*", token.Comment.Single),
            (r":[\w-]+", token.Keyword.Declaration),
            (r"\?[\w-]+", token.Name.Variable),
            (r"(?<=\()" + words(_WORDS, suffix=r"(?![\w-])").get(), token.Keyword),
            (r"(?<=\()" + words(_EFFECTS, suffix=r"(?![\w-])").get(), token.Keyword.Type),
            (r"-(?=\s)", token.Operator),
            (r"\d+(\.\d+|/\d+)?(?![\w-])", token.Number),
            (r"(?<=\()[\w@=!-]+", token.Name.Function),
            (r"[()]", token.Punctuation),
            (r"[^\s();?:]+", token.Name),
            (r".|\s", token.Whitespace),
        ]
    }


def register() -> None:
    """Let Pygments find it by its name."""
    lexers.LEXERS["PPDDLLexer"] = (__name__, PPDDLLexer.name, ("ppddl", "pddl"), ("*.ppddl", "*.pddl"), ())
