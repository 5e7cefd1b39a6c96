"""The Markdown files of the project, taken apart: code blocks, tables, links."""

import contextlib
import io
import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = "#> "


class CodeBlock(NamedTuple):
    """One fenced block: its language, its text, and the line it starts in."""

    language: str
    text: str
    line: int


def name(page: pathlib.Path) -> str:
    """For test ids and messages."""
    return page.relative_to(ROOT).as_posix()


def code_blocks(page: pathlib.Path, language: str) -> list[CodeBlock]:
    """All blocks of a language, in order."""
    text = page.read_text(encoding="utf-8")
    found = [CodeBlock(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in FENCE.finditer(text)]
    return [block for block in found if block.language == language]


def prose(page: pathlib.Path) -> str:
    """The text without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def section(page: pathlib.Path, heading: str) -> str:
    """The prose under a heading, up to the next one of its level or above."""
    found = re.search(rf"^(#+) {re.escape(heading)}\n(.*)", prose(page), re.MULTILINE | re.DOTALL)
    assert found, f"{name(page)}: no heading {heading!r}"
    return re.split(rf"^#{{1,{len(found[1])}}} ", found[2], maxsplit=1, flags=re.MULTILINE)[0]


def table_rows(text: str) -> list[list[str]]:
    """The cells of all tables in a text, without heads."""
    rows = [line.strip().strip("|") for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for row in rows]
    rules = [k for k, row in enumerate(cells) if all(set(cell) <= set("-: ") and cell for cell in row)]
    heads = {k - 1 for k in rules} | set(rules)
    return [row for k, row in enumerate(cells) if k not in heads]


def quoted(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]+)`", text)


def anchors(page: pathlib.Path) -> set[str]:
    """The names by which headings can be linked to, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def run(block: CodeBlock, page: pathlib.Path, names: dict) -> None:
    """Executes a block in a namespace; it must print exactly what its ``#>`` lines say."""
    wanted = [line[len(OUTPUT) :] for line in block.text.splitlines() if line.startswith(OUTPUT)]
    code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    if wanted:
        got = printed.getvalue().splitlines()
        assert got == wanted, f"{name(page)}, line {block.line}: printed {got}, the page says {wanted}"
