"""The rules of a game's page as plain text, one a line: what language models are told (``agents/language/rules``)."""

import pathlib
import re
from collections.abc import Iterator

RULE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\* (.*?)(?=^- |^#|^\||^$|\Z)", re.MULTILINE | re.DOTALL)
NOTE = re.compile(r"\s*\*\((?:[^*]|\*\*)*\)\*")
TEXTS = pathlib.Path("agents", "language", "rules")


def rules_text(page: str) -> str:
    """Every numbered rule of a page, without notes and marks."""
    start = page.index("\n## Rules\n")
    rules = page[start : page.find("\n## ", start + 1)]
    return "".join(f"{found[1]}: {_plain(found[2])}\n" for found in RULE.finditer(rules))


def _plain(rule: str) -> str:
    text = NOTE.sub("", rule).replace("**assumed**", "assumed")
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    return " ".join(re.sub(r"\*+([^*]+)\*+", r"\1", text).split())


def fresh_texts(root: pathlib.Path) -> Iterator[tuple[pathlib.Path, str]]:
    """Path and text for every game that has a page with rules."""
    if (root / TEXTS).is_dir():
        for page in sorted((root / "docs" / "games").glob("*.md")):
            text = page.read_text(encoding="utf-8")
            if "\n## Rules\n" in text:
                yield root / TEXTS / f"{page.stem}.txt", rules_text(text)
