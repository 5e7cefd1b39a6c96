"""A slow, plain referee of Too Many Poops, written from the numbered rules of the game's page and nothing else.

It knows cards by name ("tabby 0" .. "rainbow", "replay" .. "closed door") and zones as lists. It starts from a
complete scenario, the dict that `game.dump(state)` writes. It makes no chance moves: where a decision has a part
that chance decides (an item deck made anew, the golden poople) it is told how the game stands after that decision,
says whether that can be, and follows it.
"""

from collections import Counter
from copy import deepcopy
from functools import cache
from itertools import combinations_with_replacement

LITTERS = ["tabby", "tuxedo", "calico", "siamese", "ginger", "smoke"]
RAINBOW = "rainbow"
CATS = [f"{litter} {number}" for litter in LITTERS for number in range(5)] + [RAINBOW]
ACTIONS = ["replay", "lure", "shoo", "swap", "scoop"]
MODIFIERS = {"auto scooper": -1, "deluxe litter": -2, "big dinner": 1, "bad fish": 2}  # poops each turn
REACTIONS = ["hiss", "closed door"]
ITEMS = [*ACTIONS, *MODIFIERS, *REACTIONS]  # the order in which a dump sorts them
SLOTS = range(3)
HAND = 6  # cards that drawing goes up to
ENOUGH = 10  # points that win, and poops that are too many
SUPPLY = {2: 30, 3: 35, 4: 40, 5: 45, 6: 50}  # TM-21: tokens beside the golden one
OPTIONS = [
    "players", "items", "rivals", "litters", "optional_draw", "golden_poople", "rainbow_cats", "max_decisions",
]  # fmt: skip
ZONES = [
    "hands", "homes", "store", "wild", "cat_deck", "item_deck", "item_discard", "turn", "phase", "chosen", "known",
    "cat_played", "cats_left", "items_left", "pending", "stack", "ask", "arrival", "out", "winner", "truncated",
    "decisions",
]  # fmt: skip


def cats_in_order(cats):
    """As a dump lists them: by litter and number, rainbow cats last."""
    return sorted(cats, key=CATS.index)


def items_in_order(items):
    return sorted(items, key=ITEMS.index)


def default_rivals():
    """The rivals that are assumed, as sets of two: cat r of a litter and cat r of its partner in round r."""
    pairs = []
    for r in range(5):
        for one, other in ((5, r), ((r + 1) % 5, (r - 1) % 5), ((r + 2) % 5, (r - 2) % 5)):
            pairs.append(frozenset({f"{LITTERS[one]} {r}", f"{LITTERS[other]} {r}"}))
    return pairs


def flipped(cats, rivals):
    """TM-14: the cats of a home that lie there beside a rival; `rivals` holds sets of two names."""
    return {cat for cat in cats for pair in rivals if cat in pair and pair <= set(cats)}


def points(cats, rivals):
    """TM-15: what the cats of a home are worth, rainbow cats counted for the best total."""
    turned = flipped(cats, rivals)
    fixed = [LITTERS.index(cat.split()[0]) for cat in cats if cat != RAINBOW and cat not in turned]
    return _best_total(tuple(sorted(fixed)), cats.count(RAINBOW))


@cache
def _best_total(litters, rainbows):
    """Every way of giving the rainbow cats litters is tried."""
    best = 0
    for given in combinations_with_replacement(range(len(LITTERS)), rainbows):
        sizes = Counter([*litters, *given])
        best = max(best, sum(2 * size if size >= 2 else 1 for size in sizes.values()))
    return best


class Referee:
    """One game from a complete scenario on; actions are names such as "play scoop"."""

    def __init__(self, scenario):
        scenario = deepcopy(scenario)
        self.options = {name: scenario[name] for name in OPTIONS}
        self.players = scenario["players"]
        self.rivals = [frozenset(pair) for pair in scenario["rivals"]]
        for zone in ZONES:
            setattr(self, zone, scenario[zone])
        self.after = None  # the game's dump after the decision, where chance had its part

    # ---------------------------------------------------------------- who may do what

    def current_player(self):
        if self.phase == "over":
            return -1
        if self.phase == "choose":  # TM-2: clockwise from the seat to begin
            return next(seat for seat in self._clockwise_from(self.turn) if self.chosen[seat] is None)
        return self.ask[0] if self.ask else self.turn

    def is_terminal(self):
        return self.phase == "over"

    def legal_actions(self):
        """Names of all legal actions of the seat to act; empty when the game is over."""
        if self.phase == "over":
            return set()
        if self.phase == "choose":
            return self._cat_names(self.hands[self.current_player()]["cats"])
        if self.ask:  # TM-12, TM-13
            return {"pass", "play closed door" if self.arrival and not self.stack else "play hiss"}
        if self.pending:
            return self._parts()
        return self._draws() if self.phase == "draw" else self._plays()

    def _cat_names(self, cats):
        return {f"cat {cat}" for cat in cats}

    def _in_game(self):
        return [seat for seat in range(self.players) if seat not in self.out]

    def _clockwise_from(self, seat):
        """All seats, the given one first."""
        return [(seat + step) % self.players for step in range(self.players)]

    def _home_names(self, seats):
        return {f"to home +{(seat - self.turn) % self.players}" for seat in seats}

    def _cat_can_be_had(self):
        """TM-7: somewhere lies a cat that can be drawn (The Wild matters only once the deck is empty)."""
        return bool(self.cat_deck or any(self.store["cats"]) or self.wild)

    def _cat_is_due(self):
        """TM-5: the hand has no cat and must get one."""
        return not self.hands[self.turn]["cats"] and self._cat_can_be_had()

    def _hand_size(self):
        hand = self.hands[self.turn]
        return len(hand["cats"]) + len(hand["items"])

    def _draws(self):
        """TM-4, TM-5, TM-7."""
        names = {f"draw store cat {slot + 1}" for slot in SLOTS if self.store["cats"][slot]}
        if self.cat_deck:
            names.add("draw cat")
        elif self.wild:
            names.add("draw from the wild")
        if not (self._cat_is_due() and self._hand_size() >= HAND - 1):  # else the last draw, or a seventh card
            names |= {f"draw store item {slot + 1}" for slot in SLOTS if self.store["items"][slot]}
            if self.item_deck or self.item_discard:
                names.add("draw item")
        if self.options["optional_draw"] and not self._cat_is_due():
            names.add("end")
        return names

    def _drawing_is_over(self):
        if self._cat_is_due():
            return False
        return self._hand_size() >= HAND or not self._draws() - {"end"}

    def _plays(self):
        """TM-8 to TM-12: cat, items, end."""
        hand = self.hands[self.turn]
        names = set()
        if self.cats_left:
            names |= self._cat_names(hand["cats"])
        if self.items_left:
            names |= {f"discard {item}" for item in hand["items"]}
            names |= {f"play {item}" for item in hand["items"] if self._playable(item)}
        if self.cat_played or not hand["cats"]:
            names.add("end")
        return names

    def _playable(self, item):
        """TM-8, TM-10 to TM-12: whether the item has a target."""
        homes = [self.homes[seat]["cats"] for seat in self._in_game()]
        own = self.homes[self.turn]
        if item == "replay":
            return len(self.hands[self.turn]["cats"]) > self.cats_left
        if item == "lure":
            return bool(self.wild)
        if item == "shoo":
            return any(homes)
        if item == "swap":
            return bool(own["cats"] and self._cats_elsewhere())
        if item == "scoop":
            return own["poops"] > 0
        return item in MODIFIERS

    def _cats_elsewhere(self):
        return [cat for seat in self._in_game() if seat != self.turn for cat in self.homes[seat]["cats"]]

    def _parts(self):
        """The next part of a choice half made."""
        act, cat = self.pending["act"], self.pending.get("cat")
        if act == "play":
            return self._home_names(self._in_game()) | {"to the wild"}
        if act in MODIFIERS or (act == "lure" and cat):
            return self._home_names(self._in_game())
        if act in ("wild", "lure"):
            return self._cat_names(self.wild)
        if cat:  # a shoo or a swap of a rainbow cat that lies in several homes
            return self._home_names(self._homes_with(cat))
        if act == "shoo":
            return self._cat_names(cat for home in self.homes for cat in home["cats"])
        return self._cat_names(self._cats_elsewhere() if "own" in self.pending else self.homes[self.turn]["cats"])

    def _homes_with(self, cat):
        """Homes from which the shoo or the swap can take such a cat."""
        seats = [seat for seat in self._in_game() if cat in self.homes[seat]["cats"]]
        return [seat for seat in seats if self.pending["act"] == "shoo" or seat != self.turn]

    # ---------------------------------------------------------------- what it does

    def apply(self, name, after=None):
        """Take an action; `after` is the game's dump after it, of which only what chance decides is believed."""
        assert name in self.legal_actions(), f"{name!r} is not among {sorted(self.legal_actions())}"
        self.decisions += 1
        self.after = after
        if self.phase == "choose":
            self._choose(name.removeprefix("cat "))
        elif self.ask:
            self._answer(name)
        elif self.phase == "draw":
            self._draw(name)
        else:
            self._play(name)
        if self.phase != "over" and self.decisions >= self.options["max_decisions"]:  # TM-22
            self.phase, self.truncated = "over", True

    def _choose(self, cat):
        self.chosen[self.current_player()] = cat
        if None in self.chosen:
            return
        for seat, kept in enumerate(self.chosen):  # TM-2: all are shown
            self.hands[seat]["cats"].remove(kept)
            self.homes[seat]["cats"].append(kept)
        self.chosen = [None] * self.players
        self._begin_turn(self.turn)

    def _begin_turn(self, seat):
        self.turn, self.phase = seat, "draw"
        self.cat_played, self.cats_left, self.items_left = False, 1, 2
        self._go_on_drawing()

    def _go_on_drawing(self):
        if self._drawing_is_over():
            self.phase = "play"

    def _take(self, kind, card, public):
        """A drawn card comes into the hand; everybody remembers what they have seen."""
        self.hands[self.turn][kind].append(card)
        if public:
            self.known[self.turn][kind].append(card)

    def _draw(self, name):
        if name == "end":
            self.phase = "play"
            return
        if name == "draw from the wild":
            self.pending = {"act": "wild"}
            return
        if name == "draw cat":
            self._take("cats", self.cat_deck.pop(0), public=False)
        elif name == "draw item":
            self._take("items", self._next_item(), public=False)
        elif name.startswith("cat "):
            cat, self.pending = name.removeprefix("cat "), None
            self.wild.remove(cat)
            self._take("cats", cat, public=True)
        else:
            kind, slot = name.removeprefix("draw store ").split()
            row = self.store[f"{kind}s"]
            self._take(f"{kind}s", row[int(slot) - 1], public=True)
            row[int(slot) - 1] = None  # TM-6: the gap stays
        self._go_on_drawing()

    def _next_item(self):
        """TM-6: the next item, from a deck made anew where it is empty."""
        if not self.item_deck:
            left = self.after["item_deck"]
            drawn = len(self.item_discard) - len(left)
            if self.phase == "draw":
                first = list((Counter(self.item_discard) - Counter(left)).elements())
                assert drawn == 1
            else:  # refilling: the gaps, in their order
                gaps = [slot for slot in SLOTS if self.store["items"][slot] is None]
                first = [self.after["store"]["items"][slot] for slot in gaps[:drawn]]
            self.item_deck = first + left
            assert Counter(self.item_deck) == Counter(self.item_discard), "the new deck is not the discard"
            self.item_discard = []
        return self.item_deck.pop(0)

    # ---------------------------------------------------------------- playing

    def _play(self, name):
        if name == "end":
            self._end_turn()
        elif name.startswith("discard "):
            item = name.removeprefix("discard ")
            self._leave_hand(self.turn, "items", item)
            self.items_left -= 1
            self.item_discard.append(item)
        elif name.startswith("play "):
            item = name.removeprefix("play ")
            if item in ("replay", "scoop"):
                self._put_on_stack({"item": item, "by": self.turn})
            else:
                self.pending = {"act": item}
        elif name.startswith("cat "):
            self._name_cat(name.removeprefix("cat "))
        else:
            seat = None
            if name != "to the wild":
                seat = (self.turn + int(name.removeprefix("to home +"))) % self.players
            self._name_home(seat)

    def _leave_hand(self, seat, kind, card):
        """A card is played or discarded; a known copy goes first."""
        self.hands[seat][kind].remove(card)
        if card in self.known[seat][kind]:
            self.known[seat][kind].remove(card)

    def _name_cat(self, cat):
        if self.pending is None:
            self.pending = {"act": "play", "cat": cat}
        elif self.pending["act"] == "swap" and "own" not in self.pending:
            self.pending["own"] = cat
        else:
            self.pending["cat"] = cat
            if self.pending["act"] in ("shoo", "swap"):
                homes = self._homes_with(cat)
                if len(homes) == 1:
                    self._name_home(homes[0])

    def _name_home(self, seat):
        """The last part of a choice; None is The Wild."""
        choice, self.pending = self.pending, None
        if choice["act"] == "play":
            self._play_cat(choice["cat"], seat)
            return
        parts = {part: choice[part] for part in ("own", "cat") if part in choice}
        self._put_on_stack({"item": choice["act"], "by": self.turn, "home": seat, **parts})

    def _play_cat(self, cat, seat):
        self._leave_hand(self.turn, "cats", cat)
        self.cat_played = True
        self.cats_left -= 1
        if seat is None:
            self.wild.append(cat)
        else:
            self.homes[seat]["cats"].append(cat)
            self._arrived(cat, seat)

    def _arrived(self, cat, seat):
        """TM-13: a cat lies in a new home: win test, then the owner's closed door."""
        self._win_test()
        if self.phase != "over" and seat != self.turn and "closed door" in self.hands[seat]["items"]:
            self.arrival, self.ask = {"cat": cat, "home": seat}, [seat]

    def _win_test(self):
        """TM-16: the seat whose turn it is comes first."""
        for seat in self._clockwise_from(self.turn):
            if points(self.homes[seat]["cats"], self.rivals) >= ENOUGH:
                self.winner, self.phase = seat, "over"
                return

    # ---------------------------------------------------------------- the stack

    def _put_on_stack(self, entry):
        """TM-12: an item with all its parts, or a reaction, leaves the hand; then others may hiss."""
        seat = entry["by"]
        self._leave_hand(seat, "items", entry["item"])
        if entry["item"] not in REACTIONS:
            self.items_left -= 1
        self.stack.append(entry)
        others = self._clockwise_from(seat)[1:]
        self.ask = [other for other in others if "hiss" in self.hands[other]["items"]]
        if not self.ask:
            self._take_effect()

    def _answer(self, name):
        seat = self.ask.pop(0)
        if name != "pass":
            self._put_on_stack({"item": name.removeprefix("play "), "by": seat})
        elif not self.ask:
            if self.stack:
                self._take_effect()
            else:
                self.arrival = None  # the door stays open

    def _take_effect(self):
        """From the top: a hiss cancels what lies below it."""
        while self.stack:
            entry = self.stack.pop()
            item = entry["item"]
            if item in MODIFIERS:
                self.homes[entry["home"]]["modifiers"].append(item)
                continue
            self.item_discard.append(item)
            if item == "hiss":
                cancelled = self.stack.pop()
                self.item_discard.append(cancelled["item"])
                if cancelled["item"] == "closed door":
                    self.arrival = None
            else:
                getattr(self, f"_{item.replace(' ', '_')}")(**{k: v for k, v in entry.items() if k not in ("item",)})

    def _replay(self, by):
        self.cats_left += 1

    def _scoop(self, by):
        self.homes[by]["poops"] = max(0, self.homes[by]["poops"] - 2)

    def _lure(self, by, home, cat):
        self.wild.remove(cat)
        self.homes[home]["cats"].append(cat)
        self._arrived(cat, home)

    def _shoo(self, by, home, cat):
        self.homes[home]["cats"].remove(cat)
        self.wild.append(cat)
        self._win_test()

    def _swap(self, by, home, own, cat):
        self.homes[by]["cats"].remove(own)
        self.homes[home]["cats"].remove(cat)
        self.homes[by]["cats"].append(cat)
        self.homes[home]["cats"].append(own)
        self._arrived(own, home)

    def _closed_door(self, by):
        cat, self.arrival = self.arrival["cat"], None
        self.homes[by]["cats"].remove(cat)
        self.wild.append(cat)
        self._win_test()

    # ---------------------------------------------------------------- the end of a turn

    def _end_turn(self):
        self._poop()
        for seat in self._clockwise_from(self.turn):  # TM-18, TM-19
            home = self.homes[seat]
            if seat not in self.out and home["poops"] >= ENOUGH and points(home["cats"], self.rivals) < ENOUGH:
                self._put_out(seat)
                if len(self._in_game()) == 1:
                    self.winner, self.phase = self._in_game()[0], "over"
                    return
        self._refill()
        self._begin_turn(next(seat for seat in self._clockwise_from(self.turn + 1) if seat not in self.out))

    def _poop(self):
        """TM-17, TM-20, TM-21."""
        home = self.homes[self.turn]
        count = max(0, len(home["cats"]) + sum(MODIFIERS[item] for item in home["modifiers"]))
        golden = self.options["golden_poople"] and self._golden_one_was_drawn(count)
        home["poops"] += count - golden
        for seat in self._in_game():
            if seat != self.turn:
                self.homes[seat]["poops"] += golden

    def tokens(self):
        """TM-21: in the pouch, beside the golden one."""
        return max(0, SUPPLY[self.players] - sum(home["poops"] for home in self.homes))

    def _golden_one_was_drawn(self, count):
        """Read from a seat that is still in the game afterwards; False and True where it can be nothing else."""
        if count == 0:
            return False
        if count > self.tokens():  # the last draw found only the golden one
            return True
        seat = next(seat for seat in range(self.players) if seat not in self.after["out"])
        added = self.after["homes"][seat]["poops"] - self.homes[seat]["poops"]
        return added == count - 1 if seat == self.turn else added == 1

    def _put_out(self, seat):
        """TM-18."""
        home, hand = self.homes[seat], self.hands[seat]
        self.wild += home["cats"] + hand["cats"]
        self.item_discard += home["modifiers"] + hand["items"]
        self.homes[seat] = {"cats": [], "modifiers": [], "poops": 0}
        self.hands[seat] = {"cats": [], "items": []}
        self.known[seat] = {"cats": [], "items": []}
        self.out.append(seat)

    def _refill(self):
        """TM-6: cats, then items, gap by gap."""
        for slot in SLOTS:
            if self.store["cats"][slot] is None and self.cat_deck:
                self.store["cats"][slot] = self.cat_deck.pop(0)
        for slot in SLOTS:
            if self.store["items"][slot] is None and (self.item_deck or self.item_discard):
                self.store["items"][slot] = self._next_item()

    # ---------------------------------------------------------------- what can be read

    def returns(self):
        """TM-22: payoffs so far, one float per seat."""
        if self.winner is None:
            return [0.0] * self.players
        return [1.0 if seat == self.winner else -1.0 / (self.players - 1) for seat in range(self.players)]

    def dump(self):
        """What `game.dump` writes, without the generator's `rng` and `seed`; parts of it are the referee's own."""

        def pair(zone):
            return {"cats": cats_in_order(zone["cats"]), "items": items_in_order(zone["items"])}

        homes = [
            {**home, "cats": cats_in_order(home["cats"]), "modifiers": items_in_order(home["modifiers"])}
            for home in self.homes
        ]
        in_order = {
            "hands": [pair(hand) for hand in self.hands],
            "known": [pair(cards) for cards in self.known],
            "homes": homes,
            "wild": cats_in_order(self.wild),
            "item_discard": items_in_order(self.item_discard),
            "out": sorted(self.out),
        }
        rest = {zone: getattr(self, zone) for zone in ZONES if zone not in in_order}
        return {**self.options, **in_order, **rest}
