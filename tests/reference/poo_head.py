"""A slow, plain referee of Poo Head, written from the numbered rules of the game's page and nothing else.

It knows cards by name ("0" .. "10", "poo head", "bomb") and piles as lists (a pile's last card is its top).
It makes no chance moves: it starts from a complete scenario, the dict that `game.dump(state)` writes, and
where a round of a match ends and another begins it says so with `needs_deal` and leaves the deal to the game.
"""

from collections import Counter

NUMBERS = [str(number) for number in range(11)]
POO_HEAD, BOMB = "poo head", "bomb"
CARDS = [*NUMBERS, POO_HEAD, BOMB]  # the order in which a dump sorts cards
ORDER = {card: place for place, card in enumerate(CARDS)}
OPTIONS = [
    "players", "poo_heads", "bombs", "voluntary_pickup", "scoring", "reward", "target", "max_decisions",
    "max_rounds",
]  # fmt: skip


def in_order(cards):
    """The cards as a dump lists them: 0..10, poo head, bomb."""
    return sorted(cards, key=ORDER.get)


def play_name(card, copies=1):
    return f"play {card}" if copies == 1 else f"play {card} x{copies}"


def take_out(cards, card, copies=1):
    """Remove `copies` of `card` from the list."""
    for _ in range(copies):
        cards.remove(card)


class Referee:
    """One game or match, from a complete scenario on; actions are names such as "play 7 x2"."""

    def __init__(self, scenario):
        self.options = {name: scenario[name] for name in OPTIONS}
        self.players = scenario["players"]
        self.hands = [list(cards) for cards in scenario["hands"]]
        self.face_up = [list(cards) for cards in scenario["face_up"]]
        self.face_down = [list(cards) for cards in scenario["face_down"]]
        self.picks = [list(cards) for cards in scenario["picks"]]
        self.known = [list(cards) for cards in scenario["known"]]
        self.pile = list(scenario["pile"])
        self.draw_pile = list(scenario["draw_pile"])
        self.burnt = list(scenario["burnt"])
        self.phase = scenario["phase"]
        self.dealer = scenario["dealer"]
        self.turn = scenario["turn"]
        self.opening = scenario["opening"]
        self.out = list(scenario["out"])
        self.decisions = scenario["decisions"]
        self.round = scenario["round"]
        self.points = list(scenario["points"])
        self.truncated = scenario["truncated"]
        self.needs_deal = False  # a round has ended, the match goes on, and only the game can deal

    # ---------------------------------------------------------------- who may do what

    def current_player(self):
        return -1 if self.phase == "over" else self.turn

    def is_terminal(self):
        return self.phase == "over"

    def legal_actions(self):
        """Names of all legal actions of the seat whose turn it is; empty when the game is over."""
        if self.phase == "over":
            return set()
        if self.phase == "arrange":
            return {f"table {card}" for card in self._left_to_name()}
        zone, cards = self._zone()
        if zone == "face_down":  # PH-17: blind, so any of them
            names = {f"flip {k + 1}" for k in range(len(cards))}
        elif self._opening_rank() is not None:
            names = self._plays_of(self._opening_rank(), cards)
        else:
            names = set()
            for card in set(cards):
                if self._fits(card):
                    names |= self._plays_of(card, cards)
        # PH-8, PH-9: the pile is taken when nothing else is legal, or freely under voluntary_pickup
        if self.pile and (not names or self.options["voluntary_pickup"]):
            names.add("pick up")
        return names

    def _left_to_name(self):
        """PH-2: the six cards of the seat at turn without those that it has named."""
        cards = self.hands[self.turn] + self.face_up[self.turn]
        for card in self.picks[self.turn]:
            cards.remove(card)
        return cards

    def _zone(self):
        """PH-5, PH-15, PH-17: hand, else face-up cards, else face-down cards."""
        seat = self.turn
        if self.hands[seat]:
            return "hand", self.hands[seat]
        if self.face_up[seat]:
            return "face_up", self.face_up[seat]
        return "face_down", self.face_down[seat]

    def _opening_rank(self):
        """PH-4: the only rank that may be laid, while the first play is still due; else None."""
        numbers = [card for card in self.hands[self.turn] if card in NUMBERS]
        return in_order(numbers)[0] if self.opening and numbers else None

    def _fits(self, card):
        """Whether the card may be laid on the pile as it lies."""
        if card in (POO_HEAD, BOMB):  # PH-11, PH-13: on anything
            return True
        if not self.pile or self.pile[-1] == POO_HEAD:  # PH-8, PH-11: an empty pile, or one reset to 0
            return True
        rank, top = int(card), int(self.pile[-1])
        if top == 4:  # PH-12: bound by the 4
            return rank <= 4
        return rank >= top  # PH-5; PH-10 (on a 10) and PH-12 (where a 4 may be laid) follow from it

    def _plays_of(self, card, cards):
        """PH-6: one to four equal numbers at once; specials one at a time."""
        copies = min(cards.count(card), 4) if card in NUMBERS else 1
        return {play_name(card, k + 1) for k in range(copies)}

    # ---------------------------------------------------------------- what it does

    def apply(self, name):
        assert name in self.legal_actions(), f"{name!r} is not among {sorted(self.legal_actions())}"
        self.decisions += 1
        if name.startswith("table "):
            self._table(name.removeprefix("table "))
        elif name == "pick up":
            self._take_pile()
            self._pass_turn()
        elif name.startswith("flip "):
            self._flip(int(name.removeprefix("flip ")) - 1)
        else:
            card, _, copies = name.removeprefix("play ").partition(" x")
            self._play(card, int(copies or 1))
        if self.phase == "play" and len(self._holders()) == 1:  # PH-19: before the cap is looked at
            self._end_round(finished=True)
        elif self.decisions >= self.options["max_decisions"]:  # PH-23
            self._end_round(finished=False)

    def _holders(self):
        return [seat for seat in range(self.players) if self._cards_of(seat)]

    def _cards_of(self, seat):
        return self.hands[seat] + self.face_up[seat] + self.face_down[seat]

    def _clockwise_from(self, seat):
        """All seats, the given one first."""
        return [(seat + step) % self.players for step in range(self.players)]

    def _pass_turn(self):
        """PH-5, PH-18: the next seat clockwise that holds cards."""
        self.turn = next(seat for seat in self._clockwise_from(self.turn + 1) if self._cards_of(seat))

    def _table(self, card):
        self.picks[self.turn].append(card)
        if len(self.picks[self.turn]) < 3:
            return
        if self.turn != self.dealer:  # PH-2: the dealer is last, as the order starts from the dealer's left
            self.turn = (self.turn + 1) % self.players
        else:
            self._reveal()

    def _reveal(self):
        """PH-2, PH-3: all arrangements take effect together, then the starter is found."""
        for seat in range(self.players):
            dealt_up = Counter(self.face_up[seat])
            six = Counter(self.hands[seat] + self.face_up[seat])
            named = Counter(self.picks[seat])
            self.face_up[seat] = list(named.elements())
            self.hands[seat] = list((six - named).elements())
            # PH-2: what everybody saw lying face up and lies there no more is in the hand
            self.known[seat] = list((dealt_up - named).elements())
            self.picks[seat] = []
        self.phase = "play"
        left = (self.dealer + 1) % self.players
        lowest = {}  # seat -> its lowest number, from the dealer's left on
        for seat in self._clockwise_from(left):
            numbers = [int(card) for card in self.hands[seat] if card in NUMBERS]
            if numbers:
                lowest[seat] = min(numbers)
        # PH-3: min() keeps the first of equals, which is the nearest to the dealer's left
        self.turn = min(lowest, key=lowest.get) if lowest else left
        self.opening = bool(lowest)

    def _take_pile(self):
        """PH-8: the whole pile goes to the hand; everybody saw these cards."""
        self.hands[self.turn] += self.pile
        self.known[self.turn] += self.pile
        self.pile = []

    def _flip(self, k):
        seat = self.turn
        card = self.face_down[seat].pop(k)  # PH-17: the k-th of those that remain
        if self._fits(card):
            self._lay(card, 1)
            return
        self._take_pile()
        self.hands[seat].append(card)
        self.known[seat].append(card)
        self._pass_turn()

    def _play(self, card, copies):
        seat = self.turn
        zone, cards = self._zone()
        take_out(cards, card, copies)
        self.opening = False  # PH-4 holds for one play
        if zone == "hand":
            take_out(self.known[seat], card, min(copies, self.known[seat].count(card)))
            while self.draw_pile and len(cards) < 3:  # PH-7: before the same seat plays again
                cards.append(self.draw_pile.pop(0))
        self._lay(card, copies)

    def _lay(self, card, copies):
        """The cards have left their zone: put them on the pile, burn what is to burn, and pass the turn."""
        self.pile += [card] * copies
        burns = card == BOMB or self._four_of_a_kind()
        if burns:  # PH-13, PH-14: the pile leaves the game
            self.burnt += self.pile
            self.pile = []
        if not self._cards_of(self.turn):  # PH-18
            self.out.append(self.turn)
            if len(self._holders()) > 1:
                self._pass_turn()
        elif not burns:
            self._pass_turn()

    def _four_of_a_kind(self):
        """PH-14: the four cards on top are the same number (a Poo Head is none, and breaks a row)."""
        top = self.pile[-4:]
        return len(top) == 4 and top[0] in NUMBERS and len(set(top)) == 1

    # ---------------------------------------------------------------- ends

    def _end_round(self, finished):
        """The round is finished (one seat holds cards) or has reached the decision cap."""
        if self.options["scoring"] == "loser":
            self.truncated = not finished
            self.phase, self.turn = "over", None
            return
        if finished:
            self._score()  # PH-23: a truncated round gives no points
        if self._match_is_over():
            self.phase, self.turn = "over", None
            return
        self.needs_deal = True
        self.phase = "arrange"
        self.dealer = (self.dealer + 1) % self.players  # PH-21
        self.turn = (self.dealer + 1) % self.players
        self.round += 1
        self.decisions = 0
        self.opening = False
        self.pile, self.burnt, self.draw_pile, self.out = [], [], [], []
        for zone in (self.hands, self.face_up, self.face_down, self.picks, self.known):
            zone[:] = [[] for _ in range(self.players)]

    def _score(self):
        """PH-21: 3, 2, 1 to the first three out, -4 to the Poo Head."""
        for seat, gain in zip(self.out, [3, 2, 1], strict=False):
            self.points[seat] += gain
        self.points[self._holders()[0]] -= 4

    def _leader(self):
        """The seat that alone has the highest total, or None."""
        top = max(self.points)
        return self.points.index(top) if self.points.count(top) == 1 else None

    def _match_is_over(self):
        won = max(self.points) >= self.options["target"] and self._leader() is not None
        return won or self.round >= self.options["max_rounds"]

    def returns(self):
        """Payoffs so far, one float per seat."""
        if self.options["reward"] == "points":  # PH-22
            return [float(points) for points in self.points]
        if self.phase != "over" or self.truncated:
            return [0.0] * self.players
        if self.options["scoring"] == "loser":  # PH-20
            marked, its_payoff = self._holders()[0], -1.0
        else:  # PH-21, PH-22
            marked, its_payoff = self._leader(), 1.0
        if marked is None:
            return [0.0] * self.players
        others = -its_payoff / (self.players - 1)
        return [its_payoff if seat == marked else others for seat in range(self.players)]

    def dump(self):
        """What `game.dump` writes, without the generator's `rng` and `seed`."""
        return {
            **self.options,
            "hands": [in_order(cards) for cards in self.hands],
            "face_up": [in_order(cards) for cards in self.face_up],
            "face_down": [list(cards) for cards in self.face_down],
            "pile": list(self.pile),
            "draw_pile": list(self.draw_pile),
            "burnt": in_order(self.burnt),
            "phase": self.phase,
            "dealer": self.dealer,
            "turn": self.turn,
            "picks": [in_order(cards) for cards in self.picks],
            "opening": self.opening,
            "known": [in_order(cards) for cards in self.known],
            "out": list(self.out),
            "decisions": self.decisions,
            "round": self.round,
            "points": list(self.points),
            "truncated": self.truncated,
        }
