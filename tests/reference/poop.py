"""A slow, plain referee of Poop, written from the numbered rules of the game's page and nothing else.

It knows cards by name ("blue 3", "red wild grunt", "yellow skip") and piles as lists, and starts from a complete
scenario, the dict that `game.dump(state)` writes. It cannot foresee chance: where piles are shuffled, a duty is
forgotten or several seats slap, it works out every outcome that the rules allow, with `Unknown` cards in the place of
shuffled ones, and `follow(name, after)` goes on with the one that the game came to.
"""

from collections import Counter
from itertools import permutations, product

EDITIONS = {
    "classic": (("blue", "red", "yellow"), ("hold nose", "grunt", "whistle")),
    "party_pooper": (("green", "orange", "purple"), ("splash noise", "lean and fart", "high five")),
}
OPTIONS = [
    "players", "variant", "edition", "duties_model", "forget_probability", "catch_probability",
    "two_player_reverse", "lid_itself", "drinking", "drink_weight", "max_decisions", "slap_weights",
    "deck", "toilet_deck",
]  # fmt: skip


def kinds(edition):
    """All cards of an edition in the order of the action table: per colour 1..5, three Wilds, Reverse, Skip."""
    colours, actions = EDITIONS[edition]
    faces = ["1", "2", "3", "4", "5", *[f"wild {action}" for action in actions], "reverse", "skip"]
    return [f"{colour} {face}" for colour in colours for face in faces]


def colour_of(card):
    return card.split(" ", 1)[0]


def face_of(card):
    return card.split(" ", 1)[1]


def is_number(card):
    return face_of(card).isdigit()


def value_of(card):
    """PG-2: what a card adds to the total."""
    return int(face_of(card)) if is_number(card) else 0


def duty_of(card):
    """PG-15: the action that a Wild binds its player to, or None."""
    return face_of(card).removeprefix("wild ") if face_of(card).startswith("wild ") else None


class Unknown:
    """A card or toilet out of a shuffled pile: one of those that were shuffled, nobody knows which."""


class Disagreement(AssertionError):
    """The game came to a position that no outcome allows."""


class Referee:
    """One game, from a complete scenario on; actions are names such as "play blue 3"."""

    def __init__(self, scenario):
        self.options = {name: scenario[name] for name in OPTIONS}
        self.players = scenario["players"]
        self.variant = scenario["variant"]
        self.order = {card: place for place, card in enumerate(kinds(scenario["edition"]))}
        self.hands = [list(cards) for cards in scenario["hands"]]
        self.table = list(scenario["table"])
        self.draw_pile = list(scenario["draw_pile"])
        self.discard = list(scenario["discard"])
        self.toilet = (scenario["lid"], scenario["water"])
        self.toilets = [tuple(toilet) for toilet in scenario["toilets"]]
        self.used_toilets = [tuple(toilet) for toilet in scenario["used_toilets"]]
        self.turn = scenario["turn"]
        self.direction = scenario["direction"]
        self.skip_next = scenario["skip_next"]
        self.phase = scenario["phase"]
        self.asked = scenario["asked"]
        self.slaps = list(scenario["slaps"])
        self.row = scenario["row"]
        self.last_card = scenario["last_card"]
        self.survived = scenario["survived"]
        self.duties = [list(duties) for duties in scenario["duties"]]
        self.drinks = list(scenario["drinks"])
        self.known = [[list(cards) for cards in row] for row in scenario["known"]]
        self.decisions = scenario["decisions"]
        self.winners = list(scenario["winners"])
        self.truncated = scenario["truncated"]
        self.shuffled = []  # of this decision: (the unknown cards in their new order, what was shuffled)
        self.script, self.choices = [], []  # of this decision: how chance decides, and among how many

    def _twin(self, script):
        """A copy whose chance decides as the script says, and then in the first of all ways."""
        twin = object.__new__(Referee)
        twin.__dict__.update(self.__dict__)
        for zone in ("table", "draw_pile", "discard", "toilets", "used_toilets", "slaps", "drinks", "winners"):
            setattr(twin, zone, list(getattr(self, zone)))
        twin.hands = [list(cards) for cards in self.hands]
        twin.duties = [list(duties) for duties in self.duties]
        twin.known = [[list(cards) for cards in row] for row in self.known]
        twin.shuffled, twin.script, twin.choices = [], script, []
        return twin

    # ---------------------------------------------------------------- who may do what

    def current_player(self):
        if self.phase == "over":
            return -1
        return self.asked if self.phase in ("intercept", "slap") else self.turn

    def is_terminal(self):
        return self.phase == "over"

    def legal_actions(self):
        """Names of all legal actions of the seat that decides; empty when the game is over."""
        if self.phase == "over":
            return set()
        if self.phase == "share":  # PG-29
            return {f"share +{k}" for k in range(1, self.players)}
        if self.phase == "intercept":  # PG-22
            return {"intercept", "pass"}
        if self.phase == "slap":  # PG-26
            return {"slap", "hold"}
        if self.variant == "super_pooper":  # PG-25
            return {"flip"}
        hand = set(self.hands[self.turn])
        if self.variant == "blind_pooper":  # PG-20: any card
            return {f"play {card}" for card in hand}
        fitting = {card for card in hand if not self._overruns(card) or self._flushes(card)}
        if fitting:  # PG-6: then no clog
            return {f"play {card}" for card in fitting}
        if self.variant == "interceptor":  # PG-24: any number card, and only such are left
            return {f"play {card}" for card in hand}
        return {"clog"}  # PG-5

    def _total(self):
        return sum(value_of(card) for card in self.table)

    def _too_much(self, total):
        """PG-3, PG-30: more than the lid always is, the lid itself unless two variants are played by the letter."""
        by_letter = self.options["lid_itself"] == "fits" and self.variant in ("blind_pooper", "super_pooper")
        return total > self.toilet[0] or (total == self.toilet[0] and not by_letter)

    def _overruns(self, card):
        """PG-3: what adds nothing never does."""
        return value_of(card) > 0 and self._too_much(self._total() + value_of(card))

    def _row_with(self, card):
        """How long the row of colours is once this card lies on the table."""
        return self.row + 1 if self.table and colour_of(self.table[-1]) == colour_of(card) else 1

    def _flushes(self, card):
        """PG-10, PG-28: whether this is the third card in a row, of the right colour."""
        if self._row_with(card) < 3:
            return False
        return self.variant != "deep_doo_doo" or colour_of(card) == self.toilet[1]

    def _seats_from(self, seat):
        """All seats in the direction of play, the one after the given seat first and itself last."""
        return [(seat + step * self.direction) % self.players for step in range(1, self.players + 1)]

    # ---------------------------------------------------------------- chance

    def outcomes(self, name):
        """All that the rules allow to come of an action, one referee each."""
        assert name in self.legal_actions(), f"{name!r} is not among {sorted(self.legal_actions())}"
        found, scripts = [], [[]]
        while scripts:
            script = scripts.pop()
            twin = self._twin(script)
            twin._apply(name)
            found.append(twin)
            for place in range(len(script), len(twin.choices)):
                before = script + [0] * (place - len(script))
                scripts += [[*before, other] for other in range(1, twin.choices[place])]
        return found

    def _choose(self, count):
        """Chance takes one of so many ways."""
        self.choices.append(count)
        return self.script[len(self.choices) - 1] if len(self.choices) <= len(self.script) else 0

    def _shuffle(self, cards):
        """The cards in an order that nobody knows."""
        order = [Unknown() for _ in cards]
        self.shuffled.append((order, list(cards)))
        return list(order)

    def apply(self, name):
        """Take an action that leaves nothing to chance."""
        (only,) = self.outcomes(name)
        assert not only.shuffled, name
        self.__dict__.update(only.__dict__)

    def follow(self, name, after):
        """Take an action and go on with that outcome which is the game's position `after`, a dump.

        Raises:
            Disagreement: no outcome is; it shows the first differing fields of each.
        """
        differences = []
        for outcome in self.outcomes(name):
            for found in outcome._resolutions(after):
                dump = found.dump()
                wrong = [field for field in dump if after[field] != dump[field]]
                if not wrong:
                    self.__dict__.update(found.__dict__)
                    return
                differences.append({field: (after[field], dump[field]) for field in wrong})
        shown = min(differences, key=len) if differences else "the cards that were drawn or shuffled"
        raise Disagreement(f"{name}: (game, referee) {shown}")

    def _resolutions(self, after):
        """This outcome with every unknown card found in the dump; none if the cards there are not those shuffled."""
        if not self.shuffled:
            return [self]
        found = {}
        for mine, theirs in (
            (self.draw_pile, after["draw_pile"]),
            ([self.toilet, *self.toilets], [(after["lid"], after["water"]), *map(tuple, after["toilets"])]),
        ):
            if len(mine) != len(theirs):
                return []
            found |= {entry: card for entry, card in zip(mine, theirs, strict=True) if isinstance(entry, Unknown)}
        ways = []  # per hand with unknown cards: the ways in which these can be the cards that it got
        for hand, cards in zip(self.hands, after["hands"], strict=True):
            unknown = [card for card in hand if isinstance(card, Unknown)]
            got = Counter(cards) - Counter(card for card in hand if not isinstance(card, Unknown))
            if got.total() != len(unknown):
                return []
            ways.append([dict(zip(unknown, cards, strict=True)) for cards in set(permutations(got.elements()))])
        results = []
        for way in product(*ways):
            cards = dict(found)
            for part in way:
                cards |= part
            if all(Counter(cards[card] for card in order) == Counter(before) for order, before in self.shuffled):
                results.append(self._with(cards))
        return results

    def _with(self, cards):
        """A copy with the unknown cards replaced."""
        twin = self._twin([])
        for zone in ("draw_pile", "toilets", "discard", "used_toilets"):
            setattr(twin, zone, [cards.get(card, card) for card in getattr(self, zone)])
        twin.toilet = cards.get(self.toilet, self.toilet)
        twin.hands = [[cards.get(card, card) for card in hand] for hand in self.hands]
        twin.known = [[[cards.get(card, card) for card in row] for row in rows] for rows in self.known]
        return twin

    # ---------------------------------------------------------------- what an action does

    def _apply(self, name):
        self.decisions += 1
        if name == "flip":
            self._flip()
        elif name == "clog":
            self._take_table(self.turn)
        elif name in ("intercept", "pass"):
            self._answer_interception(name)
        elif name in ("slap", "hold"):
            self._answer_slap(name)
        elif name.startswith("share +"):
            self._share(int(name.removeprefix("share +")))
        else:
            self._play(name.removeprefix("play "))
        if self.phase != "over" and self.decisions >= self.options["max_decisions"]:  # PG-17, PG-27
            self.truncated, self.phase = True, "over"
            if self.variant == "super_pooper":
                most = max(len(hand) for hand in self.hands)
                self.winners = [seat for seat, hand in enumerate(self.hands) if len(hand) == most]

    def _leave_hand(self, seat, card):
        """The card leaves a hand before everybody's eyes: one copy fewer of those known there."""
        self.hands[seat].remove(card)
        for rows in self.known:
            if card in rows[seat]:
                rows[seat].remove(card)

    def _lay(self, card):
        self.row = self._row_with(card)
        self.table.append(card)
        self.last_card = card

    def _play(self, card):
        seat = self.turn
        flushes = self._flushes(card)
        overruns = self._overruns(card) and not flushes
        self._leave_hand(seat, card)
        self._lay(card)
        if self.variant == "blind_pooper" and not flushes and not overruns:
            self.survived = max(self.survived, self._total())
        empty = not self.hands[seat]
        passes_it_on = self.variant == "flushers_delight" and flushes  # PG-21
        if empty and not overruns and not passes_it_on:  # PG-14; PG-20 and PG-24 for what overruns
            self._win(seat)
            return
        self._bind(seat, card)
        self._test_duties(seat)
        if not overruns:
            self._turn_or_skip(card)
        if flushes:
            self._flush(seat)
        elif self._holders_of(card):  # PG-22, PG-24
            self.phase, self.asked = "intercept", self._holders_of(card)[0]
        elif overruns:  # PG-20, PG-24
            self._take_table(seat)
        else:
            self._pass_turn()

    def _bind(self, seat, card):
        """PG-15: the action of a Wild goes over to who played it."""
        duty = duty_of(card)
        if duty is None:
            return
        for duties in self.duties:
            if duty in duties:
                duties.remove(duty)
        self.duties[seat].append(duty)

    def _test_duties(self, seat):
        """PG-16: a seat with duties and cards may forget and be caught."""
        if self.options["duties_model"] != "forgetful" or not self.duties[seat] or not self.hands[seat]:
            return
        catch = 1 if self.variant == "blind_pooper" else self.options["catch_probability"]  # PG-20
        chance = self.options["forget_probability"] * catch
        caught = chance == 1 or (chance > 0 and self._choose(2) == 1)
        if caught:
            self._draw(seat)
            if self.options["drinking"]:
                self.drinks[seat] += 2

    def _draw(self, seat):
        """PG-13."""
        if not self.draw_pile:
            self.draw_pile, self.discard = self._shuffle(self.discard) if self.discard else [], []
        if self.draw_pile:
            self.hands[seat].append(self.draw_pile.pop(0))

    def _turn_or_skip(self, card):
        """PG-8, PG-9."""
        reverse, skip = face_of(card) == "reverse", face_of(card) == "skip"
        if reverse and self.players > 2:
            self.direction = -self.direction
        elif skip or (reverse and self.options["two_player_reverse"] == "skip"):
            self.skip_next = True

    def _flush(self, seat):
        """PG-10, PG-11, PG-21; the seat that flushed plays again."""
        self.discard += self.table
        self.table, self.row = [], 0
        for other in self._seats_from(seat)[:-1]:
            self._draw(other)
        if self.options["drinking"]:
            self.drinks = [count + 2 for count in self.drinks]
        if self.variant == "flushers_delight":
            empty = not self.hands[seat]
            self._pass_hands()
            if empty:
                self._win(self._seats_from(seat)[0])

    def _pass_hands(self):
        """PG-21: every hand goes one seat on; who passed it knows it, and what others knew of it moves along."""
        receiver = {seat: self._seats_from(seat)[0] for seat in range(self.players)}
        old_hands, old_known = self.hands, self.known
        self.hands = [[] for _ in range(self.players)]
        self.known = [[[] for _ in range(self.players)] for _ in range(self.players)]
        for giver, taker in receiver.items():
            self.hands[taker] = list(old_hands[giver])
            for observer in range(self.players):
                if observer == giver:
                    self.known[observer][taker] = list(old_hands[giver])
                elif observer != taker:
                    self.known[observer][taker] = list(old_known[observer][giver])

    def _take_table(self, seat, clogged=True):
        """PG-5, PG-11: everybody saw what goes into the hand (or, PG-25, under the pile, oldest uppermost)."""
        self.hands[seat] += self.table
        for observer in range(self.players):
            if observer != seat or self.variant == "super_pooper":
                self.known[observer][seat] += self.table
        self.table, self.row = [], 0
        if not clogged:
            return
        self.turn, self.asked = seat, None
        self.phase = "share" if self.options["drinking"] else "play"
        if self.phase == "play":
            self._next_toilet()

    def _share(self, places):
        """PG-29: the lid still counts, the odd drink is the taker's; then the next toilet."""
        lid = self.toilet[0]
        self.drinks[self.turn] += lid - lid // 2
        self.drinks[(self.turn + places) % self.players] += lid // 2
        self.phase = "play"
        self._next_toilet()

    def _next_toilet(self):
        """PG-5, PG-7."""
        self.used_toilets.append(self.toilet)
        if not self.toilets:
            self.toilets, self.used_toilets = self._shuffle(self.used_toilets), []
        self.toilet = self.toilets.pop(0)
        self.survived = 0

    def _pass_turn(self):
        """PG-8, PG-27: a pending skip is used up; in super_pooper only seats with cards count."""
        for _ in range(2 if self.skip_next else 1):
            self.turn = next(seat for seat in self._seats_from(self.turn) if self._plays(seat))
        self.skip_next = False

    def _plays(self, seat):
        return self.variant != "super_pooper" or self.hands[seat]

    def _win(self, seat):
        """PG-14: at once; the turn stays where it is."""
        self.winners, self.phase, self.asked = [seat], "over", None

    # ---------------------------------------------------------------- interceptor

    def _holders_of(self, card):
        """PG-22: the other seats that hold the same number card, in the order in which they are asked."""
        if self.variant != "interceptor" or not is_number(card):
            return []
        return [seat for seat in self._seats_from(self.turn)[:-1] if card in self.hands[seat]]

    def _answer_interception(self, answer):
        card, seat, player = self.table[-1], self.asked, self.turn
        laid = self._too_much(self._total())  # PG-24
        if answer == "pass":
            order = self._holders_of(card)
            later = order[order.index(seat) + 1 :]
            self.asked = later[0] if later else None
            if later:
                return
            self.phase = "play"
            if laid:
                self._take_table(player)
            else:
                self._pass_turn()
            return
        self._leave_hand(seat, card)
        self.discard.append(card)
        if not self.hands[seat]:  # PG-23, PG-24
            self._win(seat)
        elif laid and not self.hands[player]:  # PG-24
            self._win(player)
        elif laid:
            self._take_table(seat)
        else:
            self.turn, self.phase, self.asked = seat, "play", None

    # ---------------------------------------------------------------- super pooper

    def _flip(self):
        seat = self.turn
        card = self.hands[seat][0]
        self._leave_hand(seat, card)  # the first of its kind is the top one
        self._lay(card)
        self._bind(seat, card)
        self._test_duties(seat)
        self._turn_or_skip(card)
        if self.row == 3:  # PG-26: before the lid is looked at
            self.phase, self.asked = "slap", self._seats_from(seat)[0]
        elif self._too_much(self._total()):
            self._take_table(seat)
        else:
            self._end_turn()

    def _answer_slap(self, answer):
        self.slaps[self.asked] = answer
        if self.asked != self.turn:  # the flipper is last
            self.asked = self._seats_from(self.asked)[0]
            return
        weights = self.options["slap_weights"] or [1] * self.players
        slapped = [seat for seat in range(self.players) if self.slaps[seat] == "slap"]
        drawn = [seat for seat in slapped if weights[seat] > 0] or slapped
        self.slaps = [None] * self.players
        self.phase, self.asked, self.row = "play", None, 0
        if slapped:
            self._take_table(drawn[self._choose(len(drawn))], clogged=False)
            self._end_turn()
        elif self._too_much(self._total()):
            self._take_table(self.turn)
        else:
            self._end_turn()

    def _end_turn(self):
        """PG-27: the last seat with cards wins."""
        holders = [seat for seat in range(self.players) if self.hands[seat]]
        if len(holders) == 1:
            self._win(holders[0])
        else:
            self._pass_turn()

    # ---------------------------------------------------------------- payoffs and the dump

    def returns(self):
        """Payoffs, one float per seat: PG-17, PG-27, PG-29."""
        if not self.winners:
            return [0.0] * self.players
        others, tied = 1 / (self.players - 1), len(self.winners)
        share = (1 - (tied - 1) * others) / tied
        payoffs = [share if seat in self.winners else -others for seat in range(self.players)]
        if self.options["drinking"] and not self.truncated:
            average = sum(self.drinks) / self.players
            weight = self.options["drink_weight"]
            payoffs = [p - weight * (drinks - average) for p, drinks in zip(payoffs, self.drinks, strict=True)]
        return payoffs

    def _sorted(self, cards):
        return sorted(cards, key=lambda card: self.order.get(card, -1))

    def dump(self):
        """What `game.dump` writes, without the generator's `rng` and `seed`."""
        colours, actions = EDITIONS[self.options["edition"]]
        ordered = self.variant == "super_pooper"
        return {
            **self.options,
            "hands": [list(hand) if ordered else self._sorted(hand) for hand in self.hands],
            "table": list(self.table),
            "draw_pile": list(self.draw_pile),
            "discard": self._sorted(self.discard),
            "lid": self.toilet[0],
            "water": self.toilet[1],
            "toilets": [list(toilet) for toilet in self.toilets],
            "used_toilets": [
                list(toilet) for toilet in sorted(self.used_toilets, key=lambda t: (t[0], colours.index(t[1])))
            ],
            "turn": self.turn,
            "direction": self.direction,
            "skip_next": self.skip_next,
            "phase": self.phase,
            "asked": self.asked,
            "slaps": list(self.slaps),
            "row": self.row,
            "last_card": self.last_card,
            "survived": self.survived,
            "duties": [sorted(duties, key=actions.index) for duties in self.duties],
            "drinks": list(self.drinks),
            "known": [[self._sorted(cards) for cards in row] for row in self.known],
            "decisions": self.decisions,
            "winners": list(self.winners),
            "truncated": self.truncated,
        }
