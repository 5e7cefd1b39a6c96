"""Where hidden cards could lie as well: which lists of a scenario are looked at."""

from poopdeck.envs.conformance.exchange import lists_of


def test_the_innermost_lists_are_found_wherever_they_are():
    scenario = {
        "pile": [1, 2],
        "rows": [[3], []],
        "hands": [{"cats": ["a"], "size": 1}, {"cats": []}],
        "store": {"cats": [None, "b"]},
        "stack": [{"item": "c", "by": 0}],
        "turn": 0,
    }
    assert dict(lists_of(scenario)) == {
        ("pile",): [1, 2],
        ("rows", 0): [3],
        ("rows", 1): [],
        ("hands", 0, "cats"): ["a"],
        ("hands", 1, "cats"): [],
        ("store", "cats"): [None, "b"],
    }
