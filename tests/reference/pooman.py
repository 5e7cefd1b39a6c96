"""A slow, plain referee of Pooman, written from the numbered rules of the game's page and nothing else.

It knows cards by name and starts from a complete scenario, the dict that `game.dump(state)` writes. After the
shuffle no rule of this game uses chance, so it follows a game from any position to its end. Seat k is the Pooman.
"""

CARDS = [
    "1 star", "2 stars", "pooman", "pooperman", "roll again", "dire ear", "smell the freshness", "power flush",
    "poodini", "poocicle", "balancer",
]  # fmt: skip
ORDER = {card: place for place, card in enumerate(CARDS)}  # in which a dump sorts cards
STARS = {"1 star": 1, "2 stars": 2}
DREADED = ["pooman", "pooperman"]
FRESHNESS = "smell the freshness"
FLUSH, POODINI, POOCICLE, BALANCER = KEPT = ["power flush", "poodini", "poocicle", "balancer"]
GOAL = 5
STEPS = {"stay": (0, 0), "north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
PARAMETERS = [
    "players", "chase", "room_size", "start_distance", "pooman_speed", "player_speed", "chase_ticks",
    "pooperman_ticks", "freeze_ticks", "empty_handed_run", "pooperman_unstoppable", "max_decisions", "counts",
]  # fmt: skip


def in_order(cards):
    """The cards as a dump lists them."""
    return sorted(cards, key=ORDER.get)


def stars_of(cards):
    return sum(STARS.get(card, 0) for card in cards)


def start_cells(players, room_size, start_distance):
    """PM-12: where the Pooman and the players stand when a chase begins, as [column, row]."""
    middle = room_size // 2
    half_circle = [
        [column, row]
        for column in range(room_size)
        for row in range(1, room_size)
        if abs(column - middle) + row == start_distance
    ]
    count = len(half_circle)
    return [middle, 0], [half_circle[(2 * i + 1) * count // (2 * players)] for i in range(players)]


class Chase:
    """What happens between a Pooman card and the next draw. It is told which cards lie before whom."""

    def __init__(self, options, fronts, kind):
        self.options, self.fronts, self.kind = options, fronts, kind
        self.ticks = self.full_clock()
        self.freeze = 0
        self.pooman, self.cells = start_cells(options["players"], options["room_size"], options["start_distance"])
        self.touched, self.hidden, self.balanced = set(), set(), set()
        self.moves = [[] for _ in self.cells]  # the choices of this tick
        self.pooman_moves = []
        self.flushed = False

    @classmethod
    def from_dump(cls, options, fronts, dump):
        chase = cls(options, fronts, dump["kind"])
        chase.ticks, chase.freeze = dump["ticks"], dump["freeze"]
        chase.pooman, chase.cells = list(dump["pooman"]), [list(cell) for cell in dump["players"]]
        chase.touched, chase.hidden, chase.balanced = (set(dump[name]) for name in ("touched", "hidden", "balanced"))
        chase.moves = [list(moves or []) for moves in dump["moves"]]
        chase.pooman_moves = list(dump["pooman_moves"])
        return chase

    def dump(self):
        return {
            "kind": self.kind,
            "ticks": self.ticks,
            "freeze": self.freeze,
            "pooman": list(self.pooman),
            "players": [list(cell) for cell in self.cells],
            "touched": sorted(self.touched),
            "hidden": sorted(self.hidden),
            "balanced": sorted(self.balanced),
            "moves": [list(moves) or None for moves in self.moves],
            "pooman_moves": list(self.pooman_moves),
        }

    def full_clock(self):
        """PM-5, PM-6."""
        return self.options["chase_ticks" if self.kind == "pooman" else "pooperman_ticks"]

    def runs(self, seat):
        """Whether the player is in the chase (PM-20)."""
        if seat in self.touched | self.hidden | self.balanced:
            return False
        return bool(self.fronts[seat]) or self.options["empty_handed_run"]

    def runners(self):
        return [seat for seat in range(len(self.cells)) if self.runs(seat)]

    def is_over(self):
        """PM-16, PM-20."""
        return self.flushed or self.ticks == 0 or not self.runners()

    # ---------------------------------------------------------------- choosing

    def has_chosen(self, seat):
        """PM-13, PM-15: all its steps, or one special."""
        moves = self.moves[seat]
        return len(moves) == self.options["player_speed"] or any(move.startswith("use") for move in moves)

    def chooser(self):
        """The seat whose choice is due; None when the tick is ready to be carried out."""
        for seat in self.runners():
            if not self.has_chosen(seat):
                return seat
        if not self.freeze and len(self.pooman_moves) < self.options["pooman_speed"]:
            return len(self.cells)
        return None

    def legal_actions(self):
        seat = self.chooser()
        names = set(STEPS)
        if seat < len(self.cells) and not self.moves[seat]:  # PM-15: a special is the only choice of its tick
            names |= {f"use {card}" for card in self.fronts[seat] if card in KEPT}
        return names

    def choose(self, name):
        """One choice; the tick happens after the last one. The cards that leave the table."""
        seat = self.chooser()
        (self.pooman_moves if seat == len(self.cells) else self.moves[seat]).append(name)
        return self.tick() if self.chooser() is None else []

    # ---------------------------------------------------------------- one second

    def tick(self):
        lost = self.play_specials()
        if not self.flushed:
            lost += self.run_and_touch()
            if self.freeze:  # PM-18: the clock stands still
                self.freeze -= 1
            else:
                self.ticks -= 1
        self.moves = [[] for _ in self.cells]
        self.pooman_moves = []
        return lost

    def play_specials(self):
        """PM-15: before the moves, in seat order."""
        lost = []
        for seat, moves in enumerate(self.moves):
            if not moves or not moves[0].startswith("use"):
                continue
            card = moves[0].removeprefix("use ")
            self.fronts[seat].remove(card)
            lost.append(card)
            if self.kind == "pooperman":  # PM-6: lost, to no effect
                continue
            if card == FLUSH:  # PM-16: later seats keep theirs
                self.flushed = True
                break
            if card == POODINI:
                self.hidden.add(seat)
            elif card == BALANCER:
                self.balanced.add(seat)
            elif card == POOCICLE:
                self.freeze = self.options["freeze_ticks"]
                self.ticks = self.full_clock()
        return lost

    def walk(self, cell, moves):
        """The cells entered or ended on, the edges crossed, and the last cell."""
        cells, edges = [], []
        for move in moves:
            if move not in STEPS:
                continue
            column, row = cell[0] + STEPS[move][0], cell[1] + STEPS[move][1]
            size = self.options["room_size"]
            if 0 <= column < size and 0 <= row < size and [column, row] != cell:
                edges.append((tuple(cell), (column, row)))
                cell = [column, row]
                cells.append(cell)
        return [*cells, cell], edges, cell

    def run_and_touch(self):
        """PM-14. Nobody is touched by a frozen Pooman, and it does not move."""
        hunted_cells, hunted_edges, lost = [], set(), []
        if not self.freeze:
            hunted_cells, edges, self.pooman = self.walk(self.pooman, self.pooman_moves)
            hunted_edges = {(to, start) for start, to in edges}
        for seat in self.runners():
            _, edges, self.cells[seat] = self.walk(self.cells[seat], self.moves[seat])
            if not self.freeze and (self.cells[seat] in hunted_cells or hunted_edges & set(edges)):
                self.touched.add(seat)
                lost += self.fronts[seat]
                self.fronts[seat].clear()
        return lost


class Referee:
    """One game, from a complete scenario on; actions are names such as "take 2 stars from +1"."""

    def __init__(self, scenario):
        self.options = {name: scenario[name] for name in PARAMETERS}
        self.players = scenario["players"]
        self.deck = list(scenario["deck"])
        self.fronts = [list(cards) for cards in scenario["fronts"]]
        self.discard = list(scenario["discard"])
        self.card = scenario["card"]
        self.turn = scenario["turn"]
        self.phase = scenario["phase"]
        self.winner = scenario["winner"]
        self.pooman_seat = scenario["pooman_seat"]
        self.truncated = scenario["truncated"]
        self.decisions = scenario["decisions"]
        self.chase = None
        if scenario["chase_state"] is not None:
            self.chase = Chase.from_dump(self.options, self.fronts, scenario["chase_state"])

    # ---------------------------------------------------------------- who may do what

    def current_player(self):
        if self.phase == "over":
            return -1
        return self.chase.chooser() if self.phase == "chase" else self.turn

    def is_terminal(self):
        return self.phase == "over"

    def legal_actions(self):
        """Names of all legal actions of the seat that is to act; empty when the game is over."""
        if self.phase == "over":
            return set()
        if self.phase == "chase":
            return self.chase.legal_actions()
        if self.phase == "take":  # PM-9: must
            return self._takes()
        if self.phase == "defend":  # PM-21
            return {"lose cards", *(f"use {card}" for card in self._shields())}
        if self.phase == "draw" and FRESHNESS in self.fronts[self.turn]:  # PM-10
            return {"draw", *self._takes()}
        return {"draw"}

    def _takes(self):
        """PM-9: every kind of character of every other player."""
        names = set()
        for step in range(1, self.players):
            cards = self.fronts[(self.turn + step) % self.players]
            names |= {f"take {card} from +{step}" for card in cards if card in STARS}
        return names

    def _shields(self):
        """PM-21, PM-24: what the player at turn can use against the card turned over."""
        useful = {FLUSH, POODINI, POOCICLE}
        if self.card == "pooman":
            useful.add(BALANCER)
        elif self.options["pooperman_unstoppable"]:
            useful = set()
        return useful & set(self.fronts[self.turn])

    # ---------------------------------------------------------------- what it does

    def apply(self, name):
        assert name in self.legal_actions(), f"{name!r} is not among {sorted(self.legal_actions())}"
        self.decisions += 1
        if self.phase == "chase":
            self.discard += self.chase.choose(name)
            if self.chase.is_over():
                self.chase = None
                self._end_turn()
        elif self.phase == "defend":
            self._defend(name)
        elif name == "draw":
            self._turn_over(self.deck.pop(0))
        else:
            self._take(name)
        if self.phase != "over" and self.decisions >= self.options["max_decisions"]:  # PM-25
            self.truncated = True
            self._finish()

    def _turn_over(self, card):
        self.card, self.phase = card, "draw"
        front = self.fronts[self.turn]
        if card in STARS:  # PM-2
            self._keep()
        elif card in KEPT:  # PM-11
            self._keep()
        elif card == "roll again":  # PM-7
            self._discard_card()
            if not self.deck:
                self._win(self.players)
            else:
                self.phase = "again"
        elif card == "dire ear":  # PM-8
            characters = sorted((card for card in front if card in STARS), key=STARS.get)
            if characters:
                front.remove(characters[-1])
                self.discard.append(characters[-1])
            self._end_turn()
        elif card == FRESHNESS:  # PM-9
            if self._takes():
                self.phase = "take"
            else:
                self._keep()
        else:
            self._meet_pooman()

    def _meet_pooman(self):
        if not self.deck:  # PM-4: the last card ends the game at once
            self._end_turn()
        elif self.options["chase"] == "grid":
            self.chase = Chase(self.options, self.fronts, self.card)
            self.phase = "chase"
            if self.chase.is_over():  # PM-20: nobody is in it
                self.chase = None
                self._end_turn()
        elif self._shields():
            self.phase = "defend"
        else:
            self._lose_cards()

    def _defend(self, name):
        if name == "lose cards":
            self._lose_cards()
        else:
            card = name.removeprefix("use ")
            self.fronts[self.turn].remove(card)
            self.discard.append(card)
            self._end_turn()

    def _lose_cards(self):
        self.discard += self.fronts[self.turn]
        self.fronts[self.turn].clear()
        self._end_turn()

    def _take(self, name):
        kind, _, step = name.removeprefix("take ").partition(" from +")
        self.fronts[(self.turn + int(step)) % self.players].remove(kind)
        self.fronts[self.turn].append(kind)
        if self.phase == "take":
            self._end_turn()
        else:  # PM-10: a kept one; the turn goes on
            self.fronts[self.turn].remove(FRESHNESS)
            self.discard.append(FRESHNESS)
            self._look_for_winner()

    def _keep(self):
        self.fronts[self.turn].append(self.card)
        self.card = None
        self._end_turn()

    def _discard_card(self):
        if self.card is not None:
            self.discard.append(self.card)
        self.card = None

    def _end_turn(self):
        """The card is dealt with: somebody has won, or the next player draws."""
        self._discard_card()
        self._look_for_winner()
        if self.phase == "over":
            return
        if not self.deck:  # PM-4
            self._win(self.players)
            return
        self.phase = "draw"
        self.turn = (self.turn + 1) % self.players

    def _look_for_winner(self):
        """PM-3."""
        for seat, cards in enumerate(self.fronts):
            if stars_of(cards) >= GOAL:
                self._win(seat)
                return

    def _win(self, seat):
        self.winner = seat
        self._finish()

    def _finish(self):
        """In a finished game there is no open card and no chase."""
        self.phase, self.chase = "over", None
        self._discard_card()

    # ---------------------------------------------------------------- what it comes to

    def returns(self):
        """PM-22: payoffs so far, one float per player and the Pooman's."""
        if self.winner is None:
            return [0.0] * (self.players + 1)
        return [1.0 if seat == self.winner else -1.0 / self.players for seat in range(self.players + 1)]

    def dump(self):
        """What `game.dump` writes, without the generator's `rng` and `seed`."""
        return {
            **self.options,
            "deck": list(self.deck),
            "fronts": [in_order(cards) for cards in self.fronts],
            "discard": in_order(self.discard),
            "card": self.card,
            "turn": self.turn,
            "phase": self.phase,
            "winner": self.winner,
            "pooman_seat": self.pooman_seat,
            "truncated": self.truncated,
            "decisions": self.decisions,
            "chase_state": None if self.chase is None else self.chase.dump(),
        }
