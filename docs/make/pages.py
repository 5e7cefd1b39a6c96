"""The parts of the documentation that are made from the games themselves: tables and pictures.

``python docs/make/pages.py`` rewrites, in the Markdown files of a folder and its ``docs``, whatever stands between
``<!-- generated: NAME -->`` and ``<!-- end -->``. A game's page is ``docs/games/<game>.md``; its parts are those of
``PARTS``. Any file may have the part ``games``. Beside each ``docs/images/NAME.json`` (a game, a scenario, a seat) the
picture of that table is drawn as ``NAME.png``. The rules of the pages lie as plain text in ``agents/language/rules``,
for language models. A game of this package that has tests but no page gets its first one.
``--check`` writes nothing and tells what would change.
"""

import argparse
import json
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from new_page import new_page
from rules_text import fresh_texts

from poopdeck.envs.core import history, registry
from poopdeck.envs.core.game import Game
from poopdeck.envs.core.spec import Block, GameSpec, Option

COMMAND = "python docs/make/pages.py"
# A marked part, or a block of code, in which marks are only talked about.
MARKED = re.compile(r"^```.*?^```$|^(<!-- generated: (\w+) -->\n)(.*?)^(<!-- end -->)", re.DOTALL | re.MULTILINE)
ACTIONS_PER_ROW = 4
NEARLY = 8  # of 255: how far apart two shades may be; other versions of Pillow round differently
MOST_APART = 0.002  # share of a picture's pixels that may be further apart


class PageError(ValueError):
    """A page that asks for a part that there is not."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if ``--check`` found something out of date."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Writes the generated parts of the documentation.")
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path, help="where README.md and docs lie")
    parser.add_argument("--check", action="store_true", help="write nothing, tell what would change")
    chosen = parser.parse_args(arguments)
    changed = 0
    for path, write in stale(chosen.root):
        changed += 1
        print(f"{path}: {'out of date' if chosen.check else 'written'}")
        if not chosen.check:
            write()
    if not changed:
        print("all parts are up to date")
    return 1 if chosen.check and changed else 0


def stale(root: pathlib.Path) -> Iterator[tuple[pathlib.Path, Callable[[], Any]]]:
    """Every file of the documentation that is out of date or not there, with a call that mends it."""
    for name in registry.BUILT_IN:
        path, tests = root / "docs" / "games" / f"{name}.md", root / "tests" / "games" / name
        if tests.is_dir() and not path.exists():
            text = filled(new_page(registry.game(name), tests), path)
            yield path, partial(path.write_text, text, encoding="utf-8")
    for path in [*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md"))]:
        text = path.read_text(encoding="utf-8")
        fresh = filled(text, path)
        if fresh != text:
            yield path, partial(path.write_text, fresh, encoding="utf-8")
    for path, text in fresh_texts(root):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield path, partial(path.write_text, text, encoding="utf-8")
    for path in sorted(root.glob("docs/images/*.json")):
        pixels, target = picture(path), path.with_suffix(".png")
        if not _same_picture(pixels, target):
            yield target, partial(_write_picture, pixels, target)


def filled(text: str, path: pathlib.Path) -> str:
    """A page's text with its generated parts made anew."""

    def part(found: re.Match[str]) -> str:
        name = found[2]
        if name is None:
            return found[0]
        if name == "games":
            return f"{found[1]}{games_table(path.parent)}\n{found[4]}"
        if path.parent.name != "games" or name not in PARTS:
            known = ", ".join(["games", *PARTS]) if path.parent.name == "games" else "games"
            raise PageError(f"{path}: no part {name!r}; there are {known}")
        return f"{found[1]}{PARTS[name](registry.game(path.stem))}\n{found[4]}"

    return MARKED.sub(part, text)


# -- tables ----------------------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def games_table(root: pathlib.Path) -> str:
    """The games of this package, as the README in ``root`` lists them."""
    rows = []
    for name in registry.BUILT_IN:
        spec = registry.spec(name)
        features = spec.observation_size(spec.settings())
        measured = f"docs/agents/{name}.md"
        rows.append(
            [
                f"[{spec.title}](docs/games/{name}.md)",
                f"`{spec.id}`",
                f"{spec.min_players}–{spec.max_players}",
                spec.summary,
                spec.num_actions,
                f"{features} ({spec.default_players} players)",
                f"[measured]({measured})" if (root / measured).is_file() else "",
            ]
        )
    return table(["game", "id", "players", "aim", "actions", "features", "agents"], rows)


def facts(game: Game) -> str:
    """What there is to know at a glance."""
    spec = game.spec
    roles = [f"{role.name}: {role.meaning}" for role in spec.roles]
    rows: list[list[Any]] = [
        ["id", f"`{spec.id}`"],
        ["players", f"{spec.min_players} to {spec.max_players}, {spec.default_players} if nothing is said"],
        ["agents", _names(spec.agent_names(spec.settings()))],
        ["roles" if len(roles) > 1 else "role", "; ".join(roles)],
        ["actions", spec.num_actions],
        ["features", f"{spec.observation_size(spec.settings())}; with P players {_polynomial(_sizes(spec))}"],
        ["source", "; ".join(spec.sources)],
        ["status", spec.status],
    ]
    return table(["what", "value"], rows)


def components(game: Game) -> str:
    """All cards of a table with the usual parameters."""
    cards = game.spec.hooks.census(game.new_state(seed=0)) or {}
    rows: list[list[Any]] = []
    for name, sorts, each in _merged(sorted(((str(name), count) for name, count in cards.items()), key=_by_number)):
        rows.append([name, each, each * sorts])
    rows.append(["all", "", sum(cards.values())])
    return table(["card", "of each", "together"], rows)


def parameters(game: Game) -> str:
    """The keyword arguments of every interface."""
    spec = game.spec
    meaning = f"players; {_names(spec.extra_roles)} not counted" if spec.extra_roles else "seats"
    players = Option("num_players", spec.default_players, meaning, spec.min_players, spec.max_players)
    settings = spec.settings()
    rows = []
    for option in (players, *spec.options):
        default = f"`{option.default!r}`"
        if option.default is None:
            default = f"follows from others: `{settings[option.name]!r}` with {spec.default_players} players"
        rows.append([f"`{option.name}`", default, option.allowed, option.meaning, "assumed" if option.assumed else ""])
    return table(["parameter", "default", "allowed", "meaning", "note"], rows)


def variants(game: Game) -> str:
    """The named sets of parameters, with what a seat can win and lose."""
    spec, rows = game.spec, []
    for name, options in spec.variants.items():
        settings = spec.settings(**options)
        low, high = spec.parameters.payoff_bounds(settings)
        total = spec.parameters.payoff_sum(settings)
        rows.append(
            [
                f"`{name}`",
                _names(f"{key}={value!r}" for key, value in options.items()) or "the usual rules",
                f"{_number(low)} to {_number(high)}",
                "not fixed" if total is None else _number(total),
                f"{spec.parameters.length_bound(settings):,}",
            ]
        )
    return table(["variant", "parameters", "returns of a seat", "their sum", "decisions at most"], rows)


def actions(game: Game) -> str:
    """Number and name of every action; once more for variants in which the names are others."""
    found: dict[tuple[str, ...], list[str]] = {}
    for variant, options in game.spec.variants.items():
        found.setdefault(game.spec.action_names(game.spec.settings(**options)), []).append(variant)
    (names, _), *others = found.items()
    parts = [_actions_table(names)]
    for names, where in others:
        parts.append(f"In the variant{'s' if len(where) > 1 else ''} {_names(where)}:\n\n{_actions_table(names)}")
    return "\n\n".join(parts)


def _actions_table(names: Sequence[str]) -> str:
    rows, width = [], ACTIONS_PER_ROW
    for start in range(0, len(names), width):
        cells = [f"`{name}`" for name in names[start : start + width]]
        rows.append([f"**{start}**", *cells, *[""] * (width - len(cells))])
    return table(["number", *(f"+ {k}" for k in range(width))], rows)


def observation(game: Game) -> str:
    """The named blocks in order."""
    spec = game.spec
    settings = spec.settings()
    slices = spec.observation_slices(settings)
    rows = []
    for block, shape in zip(spec.blocks(settings), _shapes(spec), strict=True):
        place = slices[block.name]
        last = place.stop - 1
        where = f"{place.start}" if last == place.start else f"{place.start}–{last}"
        rows.append([where, f"`{block.name}`", shape, f"{_number(block.low)} to {_number(block.high)}", block.meaning])
    for block in spec.blocks(_with_history(spec))[len(rows) :]:
        span = f"{block.low:g} to {block.high:g}"
        shape = " × ".join(["N", *map(str, block.shape[1:])])
        rows.append(["after these", f"`{block.name}`", f"{shape}, with `{block.name}=N`", span, block.meaning])
    head = [f"place ({spec.default_players} players)", "block", "shape", "range", "meaning"]
    total = f"{spec.observation_size(settings)} features with {spec.default_players} players"
    return f"{table(head, rows)}\n\nTogether {total}; with P players {_polynomial(_sizes(spec))}."


def _with_history(spec: GameSpec) -> dict[str, Any]:
    """The usual settings, with the block that only a parameter brings in."""
    kept = {history.NAME: 1} if history.NAME in {option.name for option in spec.options} else {}
    return spec.settings(**kept)


def scenario(game: Game) -> str:
    """The fields of a scenario, for games that declare them in a schema."""
    schema = game.spec.hooks.schema
    declared = schema.table(game.spec) if schema else []
    rows = [[", ".join(f"`{name}`" for name in field.split(", ")), *others] for field, *others in declared]
    return table(["field", "form", "meaning", "if left out"], rows)


PARTS: dict[str, Callable[[Game], str]] = {
    part.__name__: part for part in (facts, components, parameters, variants, actions, observation, scenario)
}


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−")


def _by_number(card: tuple[str, int]) -> tuple[bool, str, int]:
    """Cards with numbers first, by what they say before the number."""
    found = re.fullmatch(r"(\D*)(\d+)", card[0])
    return (False, found[1], int(found[2])) if found else (True, card[0], 0)


def _merged(cards: Sequence[tuple[str, int]]) -> list[tuple[str, int, int]]:
    """(name, sorts, copies of each), cards that differ only in a number that counts up taken together."""
    merged: list[tuple[str, int, int]] = []
    first, last = ("", 0), ("", 0)
    for name, count in cards:
        found = re.fullmatch(r"(\D*)(\d+)", name)
        stem = (found[1], int(found[2])) if found else (name, -1)
        if merged and found and stem == (last[0], last[1] + 1) and merged[-1][2] == count:
            merged[-1] = (f"{first[0]}{first[1]} to {stem[0]}{stem[1]}", merged[-1][1] + 1, count)
        else:
            merged.append((name, 1, count))
            first = stem
        last = stem
    return merged


# -- how an observation grows with the table -----------------------------------------------------------------------


def _tables(spec: GameSpec) -> dict[int, tuple[Block, ...]]:
    """The blocks for every number of players."""
    counts = range(spec.min_players, spec.max_players + 1)
    return {n: spec.blocks(spec.settings(n)) for n in counts}


def _sizes(spec: GameSpec) -> dict[int, int]:
    return {n: sum(block.size for block in blocks) for n, blocks in _tables(spec).items()}


def _shapes(spec: GameSpec) -> list[str]:
    """The shape of each block, P the number of players."""
    tables = _tables(spec)
    shapes = []
    for k, block in enumerate(next(iter(tables.values()))):
        axes = range(len(block.shape))
        sizes = [{n: blocks[k].shape[axis] for n, blocks in tables.items()} for axis in axes]
        terms = [_polynomial(size) for size in sizes]
        shapes.append(" × ".join(f"({term})" if len(terms) > 1 and " " in term else term for term in terms))
    return shapes


def _polynomial(values: dict[int, int]) -> str:
    """Values by number of players as an expression in P, of degree two at most."""
    points = np.array(list(values), float)
    degree = min(2, len(points) - 1)
    factors = np.rint(np.polyfit(points, list(values.values()), degree)).astype(int)
    if not np.array_equal(np.polyval(factors, list(values)), list(values.values())):
        return "; ".join(f"{value} with {n}" for n, value in values.items())
    terms: list[str] = []
    for power, factor in zip(range(degree, -1, -1), factors.tolist(), strict=True):
        if factor or (power == 0 and not terms):
            letter = ("", "P", "P²")[power]
            size = letter if letter and abs(factor) == 1 else " ".join([str(abs(factor)), letter]).strip()
            sign = ("− " if factor < 0 else "+ ") if terms else ("−" if factor < 0 else "")
            terms.append(f"{sign}{size}")
    return " ".join(terms)


# -- pictures --------------------------------------------------------------------------------------------------------


def picture(path: pathlib.Path) -> np.ndarray:
    """The table that a JSON file (``game``, ``scenario``, ``seat``) describes, as uint8 (H, W, 3)."""
    from poopdeck.envs.render import rgb

    content = json.loads(path.read_text(encoding="utf-8"))
    game = registry.game(content["game"])
    return rgb.draw(game.scene(game.load(content["scenario"]), content["seat"]))


def _same_picture(pixels: np.ndarray, path: pathlib.Path) -> bool:
    from PIL import Image

    if not path.is_file():
        return False
    with Image.open(path) as image:
        drawn = np.asarray(image.convert("RGB"), np.int16)
    return drawn.shape == pixels.shape and float(np.mean(np.abs(drawn - pixels) > NEARLY)) <= MOST_APART


def _write_picture(pixels: np.ndarray, path: pathlib.Path) -> None:
    from PIL import Image

    Image.fromarray(pixels).save(path, optimize=True)


if __name__ == "__main__":
    raise SystemExit(main())
