"""The first version of a game's page, docs/games/<game>.md, from the game and its tests; from then on it is edited.

What a page must hold stands in it: the generated parts, to be filled by pages.py, every rule that a test shows, the
kinds of actions and the agents. Words that only a person can write are left to be added.
"""

import ast
import pathlib
import re
from collections.abc import Iterator

from poopdeck.agents.loading import agent_names
from poopdeck.envs.core.game import Game


def new_page(game: Game, tests: pathlib.Path) -> str:
    """The page as Markdown, its generated parts empty; ``tests`` is the folder of the game's tests."""
    spec = game.spec
    rules = "\n".join(f"- **{rule}** {sentence}" for rule, sentence in rules_shown(tests))
    kinds = "\n".join(f"| `{kind}` |  |  |" for kind in action_kinds(game))
    agents = "\n".join(f"| `{name}` |  |" for name in agent_names(game))
    versions = "\n".join(
        f"| v{number} | {'first version' if number == 0 else ''} |" for number in range(spec.version + 1)
    )
    return f"""# {spec.title}

{spec.summary}

In Python the game is `poopdeck.game("{spec.name}")`, `poopdeck.make("{spec.name}")` and so on; the [guide](../guide.md)
explains the interfaces.

{_part("facts")}

## Components

{_part("components")}

## Rules

{rules}

## Parameters

{_part("parameters")}

{_part("variants")}

## Actions

{_part("actions")}

| action | when | what happens |
| --- | --- | --- |
{kinds}

## Observation

{_part("observation")}

## Scenarios

{_part("scenario")}

## Agents

| name | how it plays |
| --- | --- |
{agents}

## Versions

| version | what changed |
| --- | --- |
{versions}
"""


def rules_shown(tests: pathlib.Path) -> Iterator[tuple[str, str]]:
    """Each rule that a test in a folder is marked with, in order, and what these tests say."""
    found: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for rule in _marked(node):
                    found.setdefault(rule, []).append(_sentence(node))
    for rule in sorted(found, key=lambda rule: (rule.rpartition("-")[0], int(rule.rpartition("-")[2]))):
        yield rule, " ".join(found[rule])


def action_kinds(game: Game) -> list[str]:
    """Names of actions with N for every number, for all variants."""
    spec = game.spec
    names = [name for options in spec.variants.values() for name in spec.action_names(spec.settings(**options))]
    return list(dict.fromkeys(re.sub(r"\d+", "N", name) for name in names))


def _marked(function: ast.FunctionDef) -> Iterator[str]:
    for mark in function.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
            yield from (str(ast.literal_eval(argument)) for argument in mark.args)


def _sentence(function: ast.FunctionDef) -> str:
    """A test's docstring, or its name in words."""
    said = ast.get_docstring(function)
    if said:
        return " ".join(said.split())
    return function.name.removeprefix("test_").replace("_", " ").capitalize() + "."


def _part(name: str) -> str:
    return f"<!-- generated: {name} -->\n<!-- end -->"
