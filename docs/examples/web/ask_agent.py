"""Asks an agent of a running `poopdeck serve` what it would do; nothing but Python's own library is needed.

python ask_agent.py http://127.0.0.1:8765 poop heuristic position.json
"""

import json
import sys
import urllib.error
import urllib.request


def ask(server, game, agent, scenario):
    """The server's answer: action, name, value, and the probability of every legal action."""
    body = json.dumps({"game": game, "agent": agent, "scenario": scenario}).encode()
    request = urllib.request.Request(f"{server}/act", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise ValueError(json.load(error)["error"]) from None


if __name__ == "__main__":
    server, game, agent, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        found = ask(server, game, agent, json.load(file))
    print(f"{found['agent']} at seat {found['seat']}: {found['name']}")
    for choice in found["legal"]:
        print(f"  {choice['name']}: {choice['probability']}")
