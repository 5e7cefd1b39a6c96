"""What everybody has seen happen, told from two positions and the name of the action between them.

For each game a function ``(before, seat, name, after)`` of dumps yields what has to be written down, in order:
``("note", seat, name)`` for a decision, or None in place of the name if something befell the seat; ``("led", effect,
value)`` for what the last of them led to; ``("befell", seat, effect, value)`` for the same of a seat, which is told of
alone if the last one was another's. Written from the rules and not from the code of the games.
"""

from reference.pooman import Chase

RANKS = (*map(str, range(11)), "poo head", "bomb")


def tell(told, events):
    """Appends to a chronicle, a list of [seat, name, effects by number]."""
    for what, *details in events:
        if what == "note":
            told.append([*details, {}])
        elif what == "led":
            told[-1][2][details[0]] = details[1]
        else:
            seat, effect, value = details
            if not told or told[-1][0] != seat:
                told.append([seat, None, {}])
            told[-1][2][effect] = value


# -- Poo Head


def poo_head(before, seat, name, after):
    """Picks when they are revealed, plays, cards turned over, piles burnt and taken."""
    players = before["players"]
    if before["phase"] == "arrange":
        if after["phase"] != "arrange":
            picks = [list(cards) for cards in before["picks"]]
            picks[seat].append(name.removeprefix("table "))
            for step in range(1, players + 1):
                other = (before["dealer"] + step) % players
                for card in sorted(picks[other], key=RANKS.index):
                    yield "note", other, f"table {card}"
        return
    yield "note", seat, name
    if name == "pick up":
        yield "led", 1, 1
        return
    pile = before["pile"]
    if name.startswith("flip"):
        card, copies = before["face_down"][seat][int(name.split()[1]) - 1], 1
        yield "led", 0, RANKS.index(card)
        if not fits(pile, card):
            yield "led", 1, 1
            return
    else:
        card, _, count = name.removeprefix("play ").partition(" x")
        copies = int(count or 1)
    row = 0
    while row < len(pile) and pile[-1 - row] == card:
        row += 1
    if card == "bomb" or (card != "poo head" and row + copies >= 4):
        yield "led", 1, 0


def fits(pile, card):
    """Whether a card turned over can be laid on the pile."""
    if card in ("poo head", "bomb") or not pile or pile[-1] == "poo head":
        return True
    return int(card) <= 4 if pile[-1] == "4" else int(card) >= int(pile[-1])


# -- Poop


def poop(before, seat, name, after):
    """Plays and flips, interceptions and who has taken the table; nothing of passes and answers to a slap."""
    variant, turn = before["variant"], before["turn"]
    if name not in ("pass", "slap", "hold"):
        yield "note", seat, name
    table, laid = list(before["table"]), None
    if name == "flip":
        laid = before["hands"][seat][0]
        yield "led", 0, POOP_KINDS.index(laid)
    elif name.startswith("play "):
        laid = name.removeprefix("play ")
    flushed = False
    if laid is not None:
        table.append(laid)
        colour = laid.split()[0]
        same = before["table"] and before["table"][-1].startswith(colour)
        flushed = variant != "super_pooper" and same and before["row"] == 2
        flushed = flushed and (variant != "deep_doo_doo" or colour == before["water"])
    if flushed and (len(before["hands"][seat]) > 1 or variant == "flushers_delight"):
        yield "led", 1, 0
    elif name == "clog" or (table and not after["table"] and not flushed):
        taker = after["turn"]
        if before["phase"] == "slap":
            sizes = [len(hand) - len(old) for hand, old in zip(after["hands"], before["hands"], strict=True)]
            taker = sizes.index(max(sizes))
        caught = laid is not None and len(after["hands"][turn]) > len(before["hands"][turn]) - 1 + len(table)
        if caught and taker == turn:
            yield "led", 1, 2
        yield "befell", taker, 1, 1
    elif laid is not None and after["phase"] != "over" and len(after["hands"][turn]) == len(before["hands"][turn]):
        yield "led", 1, 2  # caught: it has drawn a card


COLOURS, FACES = ("blue", "red", "yellow"), ("1", "2", "3", "4", "5", "wild hold nose", "wild grunt", "wild whistle")
POOP_KINDS = [f"{colour} {face}" for colour in COLOURS for face in (*FACES, "reverse", "skip")]


# -- Pooman


def pooman(before, seat, name, after):
    """Cards turned over, taken and used; of a chase each tick when it is carried out."""
    if before["phase"] == "chase":
        yield from tick(before, seat, name, after)
        return
    yield "note", seat, name
    if name == "lose cards":
        yield "befell", seat, 1, 0
    elif name == "draw":
        card = before["deck"][0]
        yield "led", 0, POOMAN_KINDS.index(card)
        hunted = card in ("pooman", "pooperman") and before["chase"] == "off"
        if hunted and after["deck"] and after["phase"] != "defend":
            yield "befell", seat, 1, 0


def tick(before, seat, name, after):
    """A choice in a chase, which nobody else sees until all are carried out."""
    state, players = before["chase_state"], before["players"]
    chase = Chase.from_dump(before, [list(front) for front in before["fronts"]], state)
    touched = set(chase.touched)
    moves = [*(list(one or []) for one in state["moves"]), list(state["pooman_moves"])]
    moves[seat].append(name)
    chase.choose(name)
    if any(chase.moves) or chase.pooman_moves:
        return
    stops = state["kind"] == "pooman"
    for player in range(players):
        for move in moves[player]:
            if move.startswith("use "):
                yield "note", player, move
                if move == "use power flush" and stops:
                    return
    frozen = state["freeze"] or (stops and any("use poocicle" in one for one in moves))
    for player in range(players if frozen else players + 1):
        cell = state["players"][player] if player < players else state["pooman"]
        for move in moves[player]:
            if not move.startswith("use "):
                *_, last = chase.walk(cell, [move])
                yield "note", player, move if last != cell else "stay"
                cell = last
    for player in sorted(chase.touched - touched):
        yield "befell", player, 1, 0


POOMAN_KINDS = (
    "1 star", "2 stars", "pooman", "pooperman", "roll again", "dire ear", "smell the freshness", "power flush",
    "poodini", "poocicle", "balancer",
)  # fmt: skip


# -- Too Many Poops


def too_many_poops(before, seat, name, after):
    """Draws, plays when all their parts are chosen, reactions, what became of items, and who is out."""
    players, turn = before["players"], before["turn"]
    clockwise = [(turn + step) % players for step in range(players)]
    if before["phase"] == "choose":
        if after["phase"] != "choose":
            chosen = [*before["chosen"]]
            chosen[seat] = name.removeprefix("cat ")
            for other in clockwise:
                yield "note", other, f"cat {chosen[other]}"
        return
    seen, item = True, None
    if before["ask"]:
        seen = name != "pass"
    elif after["pending"]:
        return
    elif before["pending"]:
        act, cat, own = (before["pending"].get(part) for part in ("act", "cat", "own"))
        if act == "wild":
            yield "note", seat, "draw from the wild"
        elif act != "play":
            yield "note", seat, f"play {act}"
            item = act
        for part in (own, cat):
            if part is not None:
                yield "note", seat, f"cat {part}"
    elif name.startswith("play "):
        item = name.removeprefix("play ")
    if seen:
        yield "note", seat, name
    if name.startswith("draw store"):
        *_, kind, place = name.split()
        card = before["store"][f"{kind}s"][int(place) - 1]
        yield "led", 0, CATS.index(card) if kind == "cat" else len(CATS) + ITEMS.index(card)
    hisses = len(before["stack"]) + (name == "play hiss") + (name == "play closed door" or item is not None) - 1
    if hisses >= 0 and not after["stack"]:
        yield "led", 1, hisses % 2
    if name == "end":
        gained = [
            home["poops"] > old["poops"]
            for other, (home, old) in enumerate(zip(after["homes"], before["homes"], strict=True))
            if other != turn
        ]
        if any(gained):
            yield "befell", turn, 1, 3
        for other in clockwise:
            if other in after["out"] and other not in before["out"]:
                yield "befell", other, 1, 2


LITTERS = ("tabby", "tuxedo", "calico", "siamese", "ginger", "smoke")
CATS = [*(f"{litter} {number}" for litter in LITTERS for number in range(5)), "rainbow"]
ITEMS = (
    "replay", "lure", "shoo", "swap", "scoop", "auto scooper", "deluxe litter", "big dinner", "bad fish", "hiss",
    "closed door",
)  # fmt: skip
