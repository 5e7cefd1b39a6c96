import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from poopdeck.training.run.generators import generators_state, load_generators_state, seed_generators
from poopdeck.training.storage.checkpoint import (
    Checkpoint,
    CheckpointError,
    checkpoint_files,
    load_checkpoint,
    newest_checkpoint,
    save_checkpoint,
)


def sample(steps: int = 0) -> Checkpoint:
    tensors = {
        "a.states": np.arange(12, dtype=np.uint8).reshape(3, 4),
        "a.step": np.array(7.0, np.float32),
        "a.none": np.zeros((0, 3), np.int64),
        "a.chance": np.array([2**64 - 1], np.uint64),
        "b.turned": np.arange(6.0).reshape(2, 3).T,
        "b.done": np.array([True, False]),
    }
    return Checkpoint(tensors, {"steps": steps, "names": ["x"], "nothing": None})


def test_arrays_and_facts_come_back_as_they_were(tmp_path):
    before = sample()
    after = load_checkpoint(save_checkpoint(tmp_path, 5, before))
    assert after.facts == before.facts
    for name, value in before.tensors.items():
        assert (after.tensors[name].dtype, after.tensors[name].shape) == (value.dtype, value.shape)
        np.testing.assert_array_equal(after.tensors[name], value)
    assert set(after.part("b")) == {"turned", "done"}


def test_the_last_two_are_kept(tmp_path):
    (tmp_path / ".step-000000000001.safetensors.part").write_bytes(b"half")  # of a crash
    for steps in (10, 200, 3000):
        save_checkpoint(tmp_path, steps, sample(steps))
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "step-000000000200.safetensors",
        "step-000000003000.safetensors",
    ]


def test_every_cut_and_every_flipped_bit_is_noticed(tmp_path):
    path = save_checkpoint(tmp_path, 5, sample())
    content = path.read_bytes()
    for length in range(0, len(content), 37):
        path.write_bytes(content[:length])
        with pytest.raises(CheckpointError):
            load_checkpoint(path)
    for place in range(len(content)):
        altered = bytearray(content)
        altered[place] ^= 1 << place % 8
        path.write_bytes(altered)
        try:
            found = load_checkpoint(path)
        except CheckpointError:
            continue
        # A space of the header's padding, say: what was read is still what was written
        assert found.facts == sample().facts


def test_a_damaged_one_is_told_of_and_removed(tmp_path):
    older, newer = (save_checkpoint(tmp_path, steps, sample(steps)) for steps in (1, 2))
    newer.write_bytes(newer.read_bytes()[:50])
    told: list[str] = []
    path, found = newest_checkpoint(tmp_path, told.append)
    assert (path, found.facts["steps"]) == (older, 1)
    assert str(newer) in told[0]
    assert checkpoint_files(tmp_path) == [older]
    older.write_bytes(b"")
    with pytest.raises(CheckpointError, match="all 1 checkpoints are damaged"):
        newest_checkpoint(tmp_path, told.append)
    assert newest_checkpoint(tmp_path / "none") is None


def test_another_kind_of_file_is_refused(tmp_path):
    path = tmp_path / "step-000000000001.safetensors"
    save_file({"x": np.zeros(1)}, path)
    with pytest.raises(CheckpointError, match="not a checkpoint of format"):
        load_checkpoint(path)


def test_generators_go_on_where_they_were():
    import random

    import torch

    def draws():
        return [random.random(), random.gauss(0, 1), *np.random.standard_normal(3), *torch.rand(3).tolist()]

    seed_generators(3)
    draws()
    tensors, facts = generators_state()
    expected = draws()
    seed_generators(4)
    load_generators_state(tensors, json.loads(json.dumps(facts)))
    assert draws() == expected
    seed_generators(2**70)  # any whole number from 0 is a seed
