"""The pages tell the truth: generated parts are fresh, code runs, links lead somewhere, rules have tests."""

import ast
import importlib.util
import re
import shlex
import tomllib

import pages
import pytest
import typer
from documents import PAGES, ROOT, anchors, code_blocks, name, prose, quoted, run, section, table_rows

from poopdeck.agents.loading import agent_names
from poopdeck.cli import app
from poopdeck.envs.core import contract, registry
from poopdeck.training.config import registry as learners
from poopdeck.training.config.files import config_names
from poopdeck.training.config.schema import OpponentConfig, TrainConfig, fields

GAMES = sorted(registry.BUILT_IN)
GAME_PAGES = {game: ROOT / "docs" / "games" / f"{game}.md" for game in GAMES}
RULE = re.compile(r"^- \*\*([A-Z]+-\d+)\*\*", re.MULTILINE)


# -- generated parts -------------------------------------------------------------------------------------------------


def test_generated_parts_are_fresh():
    old = [str(path.relative_to(ROOT)) for path, _ in pages.stale(ROOT)]
    assert not old, f"{', '.join(old)}: out of date; `{pages.COMMAND}` writes them anew"


def test_a_stale_part_is_noticed_and_mended(tmp_path):
    page = tmp_path / "docs" / "games" / "poo_head.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Poo Head\n\n<!-- generated: variants -->\nwrong\n<!-- end -->\n\nkept\n", encoding="utf-8")
    assert pages.main([str(tmp_path), "--check"]) == 1 and "wrong" in page.read_text(encoding="utf-8")
    assert pages.main([str(tmp_path)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "wrong" not in text and "`default`" in text and text.endswith("<!-- end -->\n\nkept\n")
    assert pages.main([str(tmp_path), "--check"]) == 0


def test_a_stale_picture_is_noticed_and_mended(tmp_path):
    images = tmp_path / "docs" / "images"
    images.mkdir(parents=True)
    drawn = (ROOT / "docs" / "images" / "table.json").read_text(encoding="utf-8")
    (images / "table.json").write_text(drawn.replace('"turn": 0', '"turn": 1'), encoding="utf-8")
    (images / "table.png").write_bytes((ROOT / "docs" / "images" / "table.png").read_bytes())
    assert pages.main([str(tmp_path), "--check"]) == 1
    assert pages.main([str(tmp_path)]) == 0 and pages.main([str(tmp_path), "--check"]) == 0


def test_an_unknown_part_is_an_error(tmp_path):
    page = tmp_path / "docs" / "games" / "poo_head.md"
    page.parent.mkdir(parents=True)
    page.write_text("<!-- generated: colours -->\n<!-- end -->\n", encoding="utf-8")
    with pytest.raises(pages.PageError, match="no part 'colours'; there are games, facts, components"):
        pages.main([str(tmp_path)])


@pytest.mark.parametrize("game", GAMES)
def test_a_game_page_has_every_part_and_its_version(game):
    text = GAME_PAGES[game].read_text(encoding="utf-8")
    parts = [part for part in pages.PARTS if part != "scenario" or registry.spec(game).hooks.schema]
    missing = [part for part in parts if f"<!-- generated: {part} -->" not in text]
    assert not missing, f"{game}: no generated part {missing}"
    versions = [row[0] for row in table_rows(section(GAME_PAGES[game], "Versions"))]
    assert versions == [f"v{number}" for number in range(registry.spec(game).version + 1)]


# -- rules and their tests -------------------------------------------------------------------------------------------


def rules_of(game: str) -> list[str]:
    return RULE.findall(GAME_PAGES[game].read_text(encoding="utf-8"))


def rules_tested() -> dict[str, list[str]]:
    """Rule ID -> the tests that carry it, from the marks in the test files."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                for argument in node.args:
                    assert isinstance(argument, ast.Constant), (
                        f"{path}, line {node.lineno}: the ID is to be written out"
                    )
                    found.setdefault(argument.value, []).append(f"{path.relative_to(ROOT)}, line {node.lineno}")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_numbered_in_order(game):
    """None is left out but those of which the page says that they are not used."""
    rules = rules_of(game)
    prefix, _, last = rules[-1].partition("-")
    unused = re.findall(
        r"^((?:[A-Z]+-\d+(?:, | and )?)+) are not used\.$", GAME_PAGES[game].read_text("utf-8"), re.MULTILINE
    )
    gaps = [rule for line in unused for rule in re.findall(r"[A-Z]+-\d+", line)]
    numbered = [f"{prefix}-{number}" for number in range(1, int(last) + 1)]
    assert rules == [rule for rule in numbered if rule not in gaps] and not set(gaps) - set(numbered)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_test(game):
    tested = rules_tested()
    missing = [rule for rule in rules_of(game) if rule not in tested]
    assert not missing, f"{name(GAME_PAGES[game])}: no test carries @pytest.mark.rule of {', '.join(missing)}"


def test_no_test_names_an_unknown_rule():
    known = {rule for game in GAMES for rule in rules_of(game)}
    unknown = {rule: places for rule, places in rules_tested().items() if rule not in known}
    assert not unknown, f"rules that no page has: {unknown}"


# -- tables written by hand ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_scenario_table_has_every_field(game):
    rows = table_rows(section(GAME_PAGES[game], "Scenarios"))
    written = [field for row in rows for field in quoted(row[0])]
    fields = [field for field in written if "." not in field]  # others are parts of an object, such as stack.item
    assert sorted(fields) == sorted(
        [*registry.game(game).dump(registry.game(game).new_state(seed=0, history=1)), "strict"]
    )
    assert all(field.split(".")[0] in fields for field in written)


@pytest.mark.parametrize("game", GAMES)
def test_the_agents_table_has_every_agent(game):
    rows = table_rows(section(GAME_PAGES[game], "Agents"))
    assert sorted(field for row in rows for field in quoted(row[0])) == sorted(agent_names(registry.game(game)))


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_action_is_explained(game):
    """A capital in the table stands for a number or a card."""
    rows = table_rows(section(GAME_PAGES[game], "Actions"))
    explained = [word for row in rows if len(row) == 3 for word in quoted(row[0])]
    patterns = [re.compile(re.sub("[A-Z]", r"[\\w ]+", re.escape(word))) for word in explained]
    spec = registry.spec(game)
    names = {name for options in spec.variants.values() for name in spec.action_names(spec.settings(**options))}
    lost = [name for name in sorted(names) if not any(p.fullmatch(name) for p in patterns)]
    assert not lost, f"{game}: {lost} are not explained"


def config_table(model: type, prefix: str = "") -> list[list[str]]:
    return [[f"`{key}`", "" if value is None else f"`{value!r}`", text] for key, value, text in fields(model, prefix)]


@pytest.mark.parametrize(
    ("heading", "model", "prefix"),
    [
        ("Keys", TrainConfig, ""),
        *((f"Section `{learner}`", learners.spec(learner).section, f"{learner}.") for learner in learners.BUILT_IN),
        ("Opponents", OpponentConfig, ""),
    ],
)
def test_the_configs_page_has_every_key(heading, model, prefix):
    page = ROOT / "docs" / "configs.md"
    wanted = config_table(model, prefix)
    should_be = pages.table(["key", "default", "meaning"], wanted)
    written = table_rows(section(page, heading))
    assert written == table_rows(should_be), f"under {heading!r} of {name(page)} should stand\n\n{should_be}\n"


def test_the_configs_page_has_every_shipped_config():
    rows = table_rows(section(ROOT / "docs" / "configs.md", "Shipped configs"))
    assert sorted(word for row in rows for word in quoted(row[0])) == config_names()


def test_the_contract_in_the_guide_is_the_contract():
    """All functions of every module, with their arguments; of those that may be left out it is said."""
    text = section(ROOT / "docs" / "guide.md", "A game in seven steps")
    parts = {
        found[1]: part for part in re.split(r"\n(?=\*\*\d)", text) if (found := re.match(r"\*\*\d\. `(\w+)\.py`", part))
    }
    for module in contract.REQUIRED:
        for functions, left_out in ((contract.required(module), False), (contract.optional(module), True)):
            rows = [row for row in table_rows(parts[module]) if ("may be left out" in row[1]) == left_out]
            written = [call for row in rows for call in quoted(row[0])]
            assert sorted(written) == sorted(f"{name}({', '.join(takes)})" for name, takes in functions.items()), module


# -- code, commands, links -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [page for page in PAGES if name(page).startswith("docs")], ids=name)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__page__"}
    for module in re.findall(r"^<!-- needs: (\w+) -->$", page.read_text(encoding="utf-8"), re.MULTILINE):
        pytest.importorskip(module, reason=f"the page needs an extra with {module}: make test-extras")
    for block in code_blocks(page, "python"):
        run(block, page, names)


COMMANDS = [
    pytest.param(line.removeprefix("$ "), id=f"{name(page)}: {line.removeprefix('$ ')}")
    for page in PAGES
    for block in code_blocks(page, "console")
    for line in block.text.splitlines()
    if line.startswith("$ ")
]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_exist(line):
    """The command is there and takes these arguments; it is not run."""
    program, *arguments = shlex.split(line)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if program == "poopdeck":
        command = typer.main.get_command(app).commands[arguments[0]]
        command.make_context(arguments[0], arguments[1:])
    elif program == "make":
        assert re.search(rf"^{arguments[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    elif program == "pip":
        extras = [extra for found in re.findall(r"\[(.*)\]", line) for extra in found.split(",")]
        assert set(extras) <= set(project["optional-dependencies"])
    elif program.endswith("python"):
        script = ROOT / arguments[0]
        assert script.is_file() if arguments[0] != "-m" else importlib.util.find_spec(arguments[1])
    else:
        assert program in ("git", "cd", "tensorboard", "pytest", "ruff", "mypy"), f"{line}: nobody checks {program}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = page if not path else (page.parent / path).resolve()
        assert file.exists(), f"{name(page)}: {target}"
        assert not anchor or anchor in anchors(file), f"{name(page)}: {target}; there are {sorted(anchors(file))}"
