"""One word for one thing: the glossary is in order, and what it retires does not come back.

Names are looked at in code; words in pages, comments and documentation strings. Messages to people may say more.
"""

import ast
import functools
import io
import re
import tokenize
from typing import NamedTuple

import pytest
from documents import PAGES, ROOT, name, prose, section, table_rows

HOUSES = ("envs", "agents", "training", "poopdeck", "configs")
FILES = sorted(path for folder in (*HOUSES, "docs", "tests") for path in (ROOT / folder).rglob("*.py"))
GLOSSARY = [[cell.replace("`", "") for cell in row] for row in table_rows(section(ROOT / "CONTRIBUTING.md", "Words"))]


class Retired(NamedTuple):
    """A word that stood for something in the glossary: as a whole name in code, and in prose, as patterns."""

    names: str
    prose: str = ""
    everywhere: bool = True  # names outside the package, too; there some of them mean what they always mean
    except_in: str = ""  # files in which it means something else


RETIRED = {
    "OUTSIDE": Retired(r"OUTSIDE"),
    "capped": Retired(r"\w*capped\w*", r"\bcapped\b"),
    "cut": Retired(r"cut", r"\bcuts? (games?|by|at) |\bgames?( that)? (is|are|was|were) cut\b(?! short)", False),
    "door": Retired(r"\w*door\w*", r"\bdoors?\b", except_in="too_many_poops|picture|cards"),
    "due": Retired(r"due", everywhere=False),
    "fresh": Retired(r"fresh", everywhere=False),
    "mirror": Retired(r"_?mirror(?! descent)\w*", r"\bmirror(?! descent)"),
    "moment": Retired(r"moments?"),
    "own seat": Retired(r"own_seats?", r"\bown seats\b"),
    "trainer": Retired(r"\w*trainers?", r"\btrainers?\b"),
    "view": Retired(r"view", everywhere=False),
}


@functools.cache
def names_in(text):
    """(line, name) of everything that a file defines or assigns: functions, classes, arguments, variables, fields."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append((node.lineno, node.name))
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            found.append((node.lineno, node.arg))
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.append((node.lineno, node.id if isinstance(node, ast.Name) else node.attr))
    return found


@functools.cache
def words_in(text):
    """(line, text) of the comments and documentation strings of a file."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found.append((node.lineno, node.value.value))
    return found


def comes_back(text, word, in_package=True):
    """The places in a Python file where a retired word is used again."""
    retired = RETIRED[word]
    if retired.everywhere or in_package:
        yield from (f"{line}: {found}" for line, found in names_in(text) if re.fullmatch(retired.names, found))
    if retired.prose:
        yield from (f"{line}: {found}" for line, found in words_in(text) if re.search(retired.prose, found))


def test_the_glossary_is_in_order():
    words = [row[0] for row in GLOSSARY]
    assert len(words) > 30 and words == sorted(set(words), key=lambda word: word.replace("_", " ").lower())
    assert all(len(row) == 3 and row[1] for row in GLOSSARY)


def test_every_word_that_the_glossary_retires_is_looked_for():
    assert {word for row in GLOSSARY for word in row[2].split(", ") if word} == set(RETIRED)


@pytest.mark.parametrize("word", sorted(RETIRED))
def test_a_retired_word_does_not_come_back(word):
    """In code and in what is written about it; the changelog tells of what was."""
    files = [path for path in FILES if not re.search(RETIRED[word].except_in or "$^", path.as_posix())]
    found = {
        name(path): list(comes_back(path.read_text(), word, path.parts[len(ROOT.parts)] in HOUSES)) for path in files
    }
    pages = [page for page in PAGES if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md")]
    if RETIRED[word].prose:
        pages = [page for page in pages if not re.search(RETIRED[word].except_in or "$^", page.as_posix())]
        found |= {
            name(page): [line for line in prose(page).splitlines() if re.search(RETIRED[word].prose, line)]
            for page in pages
        }
    assert {path: places for path, places in found.items() if places} == {}


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("capped", "def f(*, capped=1): ..."),
        ("capped", "x = 1  # of a capped game"),
        ("cut", '"""What a cut game pays."""'),
        ("cut", "# games that were cut"),
        ("door", "class ThirdDoor: ...".replace("Door", "door")),
        ("door", '"""Every door."""'),
        ("mirror", "a.mirror_share = 1"),
        ("OUTSIDE", "OUTSIDE = 0"),
        ("view", "from x import y\nfor view in y: ..."),
        ("due", "f(due=1)"),
        ("trainer", "# both trainers"),
    ],
)  # fmt: skip
def test_a_retired_word_is_noticed(word, text):
    assert list(comes_back(text, word))
