"""Golden games: played again, every line is the same."""

import shutil
from pathlib import Path

import pytest

from poopdeck.envs.conformance import playthrough
from poopdeck.envs.core import registry

FOLDER = Path(__file__).parent / "playthroughs"
FILES = [(name, file) for name in registry.names() for file in playthrough.golden_tables(registry.spec(name))]


@pytest.mark.parametrize(("name", "file"), FILES)
def test_a_golden_game_is_played_as_it_was(name, file):
    found = playthrough.difference(registry.game(name), FOLDER, file)
    assert not found, f"\n{found}"


@pytest.mark.parametrize("name", registry.names())
def test_every_variant_has_a_golden_game(name):
    spec = registry.spec(name)
    tables = playthrough.golden_tables(spec).values()
    assert {variant for variant, _ in tables} == set(spec.variants)
    assert {spec.min_players, spec.default_players, spec.max_players} == {players for _, players in tables}


def test_every_file_belongs_to_a_game_and_can_be_read():
    assert playthrough.strangers(FOLDER) == []
    for path in FOLDER.iterdir():
        text = path.read_bytes()
        assert len(text) < 60_000, f"{path.name} is too long to be reviewed"
        assert text.isascii() and b"\r" not in text
        assert text.count(b"\n") > 20


def test_a_change_is_told_with_its_line_and_the_command_that_accepts_it(tmp_path):
    name, file = FILES[0]
    game = registry.game(name)
    assert f"{file} is not there" in playthrough.difference(game, tmp_path, file)
    lines = (FOLDER / file).read_text().splitlines()
    for number in (5, 40, len(lines)):
        changed = [*lines[: number - 1], "something else", *lines[number:]]
        (tmp_path / file).write_text("\n".join(changed) + "\n")
        found = playthrough.difference(game, tmp_path, file)
        assert f"{file}, line {number}: was\n  something else\nis now\n  {lines[number - 1]}\n" in found
        assert f"python -m poopdeck.envs.conformance.playthrough --write {tmp_path}" in found
    (tmp_path / file).write_text("\n".join(lines[:-1]) + "\n")
    assert f"line {len(lines)}: was\n  None" in playthrough.difference(game, tmp_path, file)


def test_the_digest_notices_an_observation_that_no_line_shows(tmp_path, monkeypatch):
    name, file = FILES[0]
    game = registry.game(name)
    shutil.copy(FOLDER / file, tmp_path / file)
    real = type(game).observation
    monkeypatch.setattr(type(game), "observation", lambda self, s, seat: real(self, s, seat) * 0.5)
    assert "digest of all seen so far" in playthrough.difference(game, tmp_path, file)


def test_one_command_writes_and_one_compares(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(playthrough.registry, "names", lambda: [FILES[0][0]])
    monkeypatch.setattr(playthrough, "golden_tables", lambda spec: {FILES[0][1]: ("default", spec.min_players)})
    assert playthrough.main(["--check", str(FOLDER)]) == 1  # the other files belong to nothing then
    assert playthrough.main(["--write", str(tmp_path / "new")]) == 0
    assert (tmp_path / "new" / FILES[0][1]).read_bytes() == (FOLDER / FILES[0][1]).read_bytes()
    capsys.readouterr()
    assert playthrough.main(["--check", str(tmp_path / "new")]) == 0
    assert capsys.readouterr().out == "nothing is different\n"
    (tmp_path / "new" / "stray.txt").write_text("x")
    assert playthrough.main(["--check", str(tmp_path / "new")]) == 1
    assert "stray.txt belongs to no game" in capsys.readouterr().out
