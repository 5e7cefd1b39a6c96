"""Machine code is compiled once, never stale, never damaged, and dispensable; importing compiles nothing."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
from types import ModuleType

import numpy as np
import pytest

from poopdeck.envs.core import compiler

HERE = pathlib.Path(__file__).parent
REPOSITORY = HERE.parent
FOLDERS = {"poopdeck": ".", "envs": "envs", "agents": "agents", "training": "training", "configs": "configs"}


def run(command, cache, cwd, **environment):
    """Standard output of Python in a process of its own, with that cache folder."""
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "NUMBA_DISABLE_JIT")}
    known.update({compiler.CACHE_VARIABLE: str(cache), "PYTHONDONTWRITEBYTECODE": "1", **environment})
    known = {name: value for name, value in known.items() if value is not None}
    done = subprocess.run([sys.executable, *command], env=known, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture
def place(tmp_path):
    """A folder with the tiny game."""
    shutil.copytree(HERE / "tiny_game", tmp_path / "tiny_game", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def play(place, cache, *what, **environment):
    """What came of playing there: answer and counts."""
    found = json.loads(run(["-m", "tiny_game", *what], cache, place, **environment))
    return found["answer"], found["counts"]


LOADED = {"loaded": 1, "compiled": 0, "rules": 0}
COMPILED = {"loaded": 0, "compiled": 1, "rules": 4}


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new))


def copy_tree(folder):
    """The package as an installed one lies: everything under one folder of its name."""
    for source, target in FOLDERS.items():
        shutil.copytree(
            REPOSITORY / source,
            folder / "poopdeck" / target,
            ignore=shutil.ignore_patterns("__pycache__"),
            dirs_exist_ok=True,
        )
    return folder / "poopdeck"


# -- once, and never stale --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def all_of_it(tmp_path_factory):
    """The cache, answer and counts of a first process that plays through every interface."""
    cache = tmp_path_factory.mktemp("all")
    return cache, *play(HERE, cache, "all")


def test_a_second_process_compiles_nothing(all_of_it, tmp_path):
    cache, first, counts = all_of_it
    assert counts["compiled"] >= 7 and counts["loaded"] == 0 and counts["rules"] > counts["compiled"]
    assert play(HERE, cache, "all") == (first, {"loaded": counts["compiled"], "compiled": 0, "rules": 0})
    plain, _ = play(HERE, tmp_path / "none", "all", NUMBA_DISABLE_JIT="1")
    assert plain == first
    assert not (tmp_path / "none").exists(), "plain Python needs no cache"


def test_an_edited_rule_is_in_force_with_the_same_cache(place):
    rules = place / "tiny_game" / "rules.py"
    assert play(place, place / "cache") == (6010, COMPILED)
    edit(rules, "return 2 * x", "return 4 * x")
    assert play(place, place / "cache") == (6020, COMPILED)
    edit(rules, "FIRST = 5", "FIRST = 6")
    assert play(place, place / "cache") == (6024, COMPILED)
    edit(rules, "return 4 * x", "return 2 * x")
    edit(rules, "FIRST = 6", "FIRST = 5")
    assert play(place, place / "cache") == (6010, LOADED)


def test_an_edit_inside_a_folder_of_rules_is_in_force_with_the_same_cache(place):
    file, folder = place / "tiny_game" / "rules.py", place / "tiny_game" / "rules"
    text = file.read_text()
    start, end = text.index("@rule\ndef double"), text.index("@rule\ndef deal")
    file.unlink()
    folder.mkdir()
    (folder / "numbers.py").write_text("from poopdeck.envs.core.compiler import rule\n\n\n" + text[start:end])
    (folder / "__init__.py").write_text(f"{text[:start]}from .numbers import double\n\n\n{text[end:]}")
    assert play(place, place / "cache") == (6010, COMPILED)
    assert play(place, place / "cache") == (6010, LOADED)
    edit(folder / "numbers.py", "return 2 * x", "return 4 * x")
    assert play(place, place / "cache") == (6020, COMPILED)


def test_a_file_edited_between_import_and_use_does_not_mix_old_and_new(place):
    rules = place / "tiny_game" / "rules.py"
    first, counts = play(place, place / "cache", "edit", str(rules), "return 2 * x", "return 4 * x")
    assert (first, counts) == (6010, COMPILED), "the rules as imported are in force"
    assert play(place, place / "cache") == (6020, COMPILED), "the rules as edited are in force"


def test_a_rule_replaced_in_one_process_stays_there(place):
    play(place, place / "cache", "replace")
    play(place, place / "cache", "replace")
    assert play(place, place / "cache") == (6010, COMPILED)


def test_edits_of_the_package_are_in_force_with_the_same_cache(place):
    tree = copy_tree(place)
    script = (
        f"import poopdeck; assert poopdeck.__file__.startswith({str(place)!r}), poopdeck.__file__\n"
        "game = poopdeck.game('poo_head'); settings = game.spec.settings(2)\n"
        "from poopdeck.envs.core.game import State\n"
        "print(game.returns(State(game.empty_states(settings, 1), settings)))"
    )

    def returns():
        return run(["-c", script], place / "cache", place, PYTHONPATH=str(place)).strip()

    assert returns() == "[0. 0.]"
    edit(
        tree / "envs" / "games" / "poo_head" / "rules.py", "if s.points_reward else 0.0", "if s.points_reward else 7.0"
    )
    assert returns() == "[7. 7.]"
    assert play(place, place / "cache", PYTHONPATH=str(place)) == (6010, COMPILED)
    edit(tree / "envs" / "core" / "chance.py", "SHIFT_31 = np.uint64(31)", "SHIFT_31 = np.uint64(1)")
    assert play(place, place / "cache", PYTHONPATH=str(place)) == (4010, COMPILED)


def test_the_digest_sees_rules_constants_and_what_they_call():
    def variant(body, constant=1):
        module = ModuleType("variant")
        exec(
            "from poopdeck.envs.core.compiler import rule\n"
            f"CONSTANT = {constant}\n"
            f"@rule\ndef inner(x):\n    {body}\n"
            "@rule\ndef outer(x):\n    return inner(x)\n",
            vars(module),
        )

        def make(rules):
            return lambda x: rules.outer(x)

        return compiler.code_digest(make(module))

    same = variant("return x + CONSTANT")
    assert same == variant("return x + CONSTANT")
    assert same != variant("return x - CONSTANT")
    assert same != variant("return x + CONSTANT", constant=2)
    assert variant("return x.a - x.b") != variant("return x.b - x.a"), "the same code but for the order of names"
    long = "(__import__('numpy').eye(1, 2000, {})[0], 1)"  # shown as numbers, it would be shortened in the middle
    used = "return x + CONSTANT[1]"
    assert variant(used, long.format(900)) != variant(used, long.format(1100))


@pytest.mark.skipif(compiler.PLAIN_PYTHON, reason="nothing is compiled")
def test_a_rule_is_compiled_once_for_whole_numbers_of_every_width():
    @compiler.rule
    def half(x):
        return x // 2

    @compiler.rule
    def rest(x):
        return x - half(x=7)

    @compiler.rule
    def itself(x):
        return x

    @compiler.rule
    def run(small, large, word):
        total = 0
        for k in range(small[0]):
            total += half(k) + half(small[1]) + half(large[0]) + half(9) + rest(total)
        return total, itself(word[0])

    small, large, word = np.array([2, -5], np.int8), np.array([2**40], np.int64), np.array([2**64 - 1], np.uint64)
    total = 0
    for k in range(2):
        total += k // 2 + -5 // 2 + 2**39 + 9 // 2 + total - 7 // 2
    assert run(small, large, word) == (total, 2**64 - 1)  # words of a generator stay what they are
    assert [str(function.signatures[0][0]) for function in (half, rest, itself)] == ["int64", "int64", "uint64"]
    assert len(half.signatures) == len(rest.signatures) == 1


@pytest.mark.skipif(compiler.PLAIN_PYTHON, reason="nothing is compiled")
def test_a_writer_is_compiled_as_one_whose_arguments_lie_apart(monkeypatch):
    def double(counts, out):
        for k in range(len(out)):
            out[k] = counts[k] * 2

    def code(mark):
        compiled, out = mark(double), np.zeros(3, np.float32)
        compiled(np.arange(3, dtype=np.int8), out)
        assert out.tolist() == [0, 2, 4]
        (text,) = compiled.inspect_llvm().values()
        (head,) = [
            line for line in text.splitlines() if line.startswith("define") and "double" in line and "arg.out" in line
        ][:1]
        return head[head.index("arg.counts") :]

    assert code(compiler.writer).count("noalias") > code(compiler.rule).count("noalias")
    modules = [ModuleType("marked"), ModuleType("marked")]
    modules[0].double, modules[1].double = compiler.writer(double), compiler.rule(double)
    digests = [compiler.code_digest((lambda rules: lambda x: rules.double(x, x))(module)) for module in modules]
    assert None not in digests and digests[0] != digests[1]
    monkeypatch.setattr(compiler, "rule", lambda function: function)  # as of a numba without the hook
    assert compiler.writer(double) is double


@pytest.mark.skipif(compiler.PLAIN_PYTHON, reason="nothing is compiled")
def test_compiling_a_driver_leaves_numba_s_settings_as_they_were(monkeypatch):
    import numba

    monkeypatch.setattr(numba.config, "SLP_VECTORIZE", 0)
    seen = []

    def fails(kinds):
        seen.append(numba.config.SLP_VECTORIZE)
        raise TypeError("not these")

    with pytest.raises(TypeError, match="not these"):
        compiler._with_vectors(fails)(())
    assert seen == [1] and numba.config.SLP_VECTORIZE == 0


def test_no_digest_once_a_rule_is_replaced():
    module = ModuleType("replaced")
    exec("from poopdeck.envs.core.compiler import rule\n@rule\ndef inner(x):\n    return x\n", vars(module))

    def make(rules):
        return lambda x: rules.inner(x)

    assert compiler.code_digest(make(module)) is not None
    module.inner = compiler.rule(lambda x: x + 1)
    assert compiler.code_digest(make(module)) is None


# -- damaged, unwritable, absent --------------------------------------------------------------------------------------


def cut(content):
    return content[: len(content) // 2]


def flip(content):
    place = len(content) * 2 // 3
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def nothing(content):
    return b""


def nonsense(content):
    return b"nonsense" * 99


def test_a_damaged_cache_is_compiled_anew(place):
    assert play(place, place / "cache") == (6010, COMPILED)
    [path] = (place / "cache").glob("*/*")
    whole = path.read_bytes()
    for damage in (cut, flip, nothing, nonsense):
        path.write_bytes(damage(whole))
        assert play(place, place / "cache") == (6010, COMPILED), damage.__name__
    assert play(place, place / "cache") == (6010, LOADED), "it is whole again"
    assert list((place / "cache").glob("*/*")) == [path], "no rests are left"


def test_an_entry_under_the_name_of_another_is_not_run(place):
    rules = place / "tiny_game" / "rules.py"
    play(place, place / "cache")
    [good] = (place / "cache").glob("*/*")
    edit(rules, "return 2 * x", "return 4 * x")
    play(place, place / "cache")
    [other] = set((place / "cache").glob("*/*")) - {good}
    good.write_bytes(other.read_bytes())
    edit(rules, "return 4 * x", "return 2 * x")
    assert play(place, place / "cache") == (6010, COMPILED)


def test_without_a_place_to_write_it_works_and_leaves_nothing(place):
    (place / "a_file").write_text("not a folder")
    before = set(place.rglob("*"))
    for nowhere in (place / "a_file" / "below", "/proc/none"):
        assert play(place, nowhere) == (6010, COMPILED), nowhere
    assert set(place.rglob("*")) == before


def test_a_cache_folder_that_cannot_be_written_is_done_without(place):
    """As for root the permission to write says nothing, the folder of this digest is a file."""
    assert play(place, place / "cache") == (6010, COMPILED)
    [folder] = (entry for entry in (place / "cache").iterdir() if entry.is_dir())
    shutil.rmtree(folder)
    folder.write_text("in the way")
    assert play(place, place / "cache") == (6010, COMPILED)
    assert folder.read_text() == "in the way"


def test_without_a_home_it_works_and_leaves_nothing(place):
    """A user without a home: '~' stands for nothing then, and no folder of that name may appear."""
    script = (
        "import os.path; os.path.expanduser = lambda path: path\n"
        "import runpy, sys; sys.argv = ['tiny_game']; runpy.run_module('tiny_game', run_name='__main__')"
    )
    before = set(place.rglob("*"))
    out = run(["-c", script], "", place, HOME=None, XDG_CACHE_HOME=None)
    assert json.loads(out) == {"answer": 6010, "counts": COMPILED}
    assert set(place.rglob("*")) == before


def test_a_home_that_is_not_known_is_not_taken_for_a_folder(tmp_path, monkeypatch):
    monkeypatch.delenv(compiler.CACHE_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(compiler.platformdirs, "user_cache_path", lambda name: pathlib.Path("~/.cache") / name)
    assert compiler.cache_root() is None
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_installation_is_not_written_to(tmp_path):
    tree = copy_tree(tmp_path / "site")
    for path in [tree, *tree.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path: path.stat().st_mtime_ns for path in tree.rglob("*")}
    script = "import poopdeck; print(poopdeck.__file__, poopdeck.game('poo_head').new_state(seed=0).seed)"
    out = run(["-c", script], tmp_path / "cache", tmp_path, PYTHONPATH=str(tmp_path / "site"))
    assert out.split() == [str(tree / "__init__.py"), "0"]
    assert {path: path.stat().st_mtime_ns for path in tree.rglob("*")} == before
    assert list((tmp_path / "cache").glob("*/*.nbc"))


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give folders away")
def test_a_cache_of_somebody_else_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setenv(compiler.CACHE_VARIABLE, str(tmp_path / "cache"))
    assert compiler.cache_root() == tmp_path / "cache"
    os.chown(tmp_path / "cache", 12345, 12345)
    assert compiler.cache_root() is None


def test_the_cache_folder_is_private_and_forgets_what_is_old(place):
    cache = place / "cache"
    play(place, cache)
    assert cache.stat().st_mode & 0o077 == 0
    [folder] = (entry for entry in cache.iterdir() if entry.is_dir())
    old, recent = cache / "old-digest", cache / "recent-digest"
    for path, days in ((old, 31), (recent, 29)):
        path.mkdir()
        (path / "x.nbc").write_text("x")
        os.utime(path, (time.time() - days * 86_400,) * 2)
    play(place, cache)
    assert old.exists(), "nothing is forgotten while nothing is new"
    edit(place / "tiny_game" / "rules.py", "FIRST = 5", "FIRST = 6")
    play(place, cache)
    assert not old.exists() and recent.exists() and folder.exists()


def test_processes_that_compile_at_the_same_time_do_not_disturb_each_other(place):
    environment = {**os.environ, compiler.CACHE_VARIABLE: str(place / "cache")}
    environment.pop("NUMBA_DISABLE_JIT", None)
    command = [sys.executable, "-m", "tiny_game"]
    both = [subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE) for _ in range(2)]
    assert [json.loads(process.communicate()[0])["answer"] for process in both] == [6010, 6010]
    assert play(place, place / "cache") == (6010, LOADED)


def test_code_of_different_processes_can_be_used_together(place):
    """Each compiles for a layout of its own; a third one takes both from the cache."""
    cache = place / "cache"
    told = [play(place, cache, "layouts", layout)[0][0] for layout in ("narrow", "wide")]
    answer, counts = play(place, cache, "layouts", "narrow", "wide")
    assert counts["compiled"] == 0 and counts["loaded"] == 2
    assert answer == told


def test_without_numba_s_private_hooks_it_compiles_longer_and_plays_the_same(all_of_it, tmp_path):
    """What ``rule`` and the cache reach for inside numba is gone: every width compiles anew, nothing is kept."""
    _, first, counts = all_of_it
    found = json.loads(run(["-m", "tiny_game.without_hooks", "all"], tmp_path, HERE))
    assert found["answer"] == first
    assert found["counts"]["loaded"] == 0 and found["counts"]["compiled"] == counts["compiled"]
    assert found["counts"]["rules"] > counts["rules"]
    assert not list(tmp_path.glob("*/*"))


# -- importing --------------------------------------------------------------------------------------------------------


def test_importing_compiles_nothing_and_loads_no_torch(tmp_path):
    script = (
        "import sys, time; start = time.time(); import poopdeck; print(time.time() - start)\n"
        "print(*[name for name in ('numba', 'torch', 'stable_baselines3', 'pygame', 'PIL') if name in sys.modules])\n"
        "import poopdeck.envs.adapters.aec, poopdeck.envs.adapters.vector, poopdeck.envs.games.poo_head\n"
        "import poopdeck.envs.adapters.gymnasium, poopdeck.envs.conformance.check\n"
        "import poopdeck.envs.conformance.playthrough\n"
        "poopdeck.game('poo_head'); poopdeck.make('poo_head')\n"
        "from numba.core.dispatcher import Dispatcher; import gc\n"
        "print(sum(len(thing.signatures) for thing in gc.get_objects() if isinstance(thing, Dispatcher)))\n"
        "print('torch' in sys.modules)"
    )
    seconds, heavy, compiled, torch = run(["-c", script], tmp_path / "cache", tmp_path).split("\n")[:4]
    assert heavy == "" and compiled == "0" and torch == "False"
    assert float(seconds) < 10  # a third of a second where nothing else runs
    assert not (tmp_path / "cache").exists() or not list((tmp_path / "cache").glob("*/*"))


# -- records ----------------------------------------------------------------------------------------------------------


def test_layout_keeps_the_fields_and_aligns_them():
    dtype = compiler.layout(rng="u8", turn="i1", hand=("i1", (2, 3)), total="i4")
    assert dtype.names == ("rng", "turn", "hand", "total")
    assert dtype.isalignedstruct and dtype["hand"].shape == (2, 3)
    assert dtype.fields["total"][1] % 4 == 0


def test_plain_records_have_their_fields_as_attributes_whatever_they_are_called():
    record = np.zeros(2, np.dtype((compiler.PlainRecord, [("round", "i8"), ("hand", "i8", 3)])))[1]
    record.round += 5
    record.hand[1] = 2
    assert record.round == 5 == record["round"]
    assert record.hand.tolist() == [0, 2, 0]
    assert record.dtype.names == ("round", "hand")


def test_plain_records_wrap_nothing(tmp_path):
    script = (
        "import numpy as np; from poopdeck.envs.core.compiler import layout\n"
        "s = np.zeros(1, layout(rng='u8', small='i1', f='f8'))[0]; s.small = 127; s.small += 1\n"
        "print(s.small, s.dtype['small'], s.dtype['rng'], s.dtype['f'])"
    )
    assert run(["-c", script], tmp_path, tmp_path, NUMBA_DISABLE_JIT="1").split() == [
        "128",
        "int64",
        "uint64",
        "float64",
    ]
