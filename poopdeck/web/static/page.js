"use strict";
// The start page, a seat at a table, and a game to step through.

const byId = (id) => document.getElementById(id);
const state = { socket: null, position: null, shown: 0, last: null, games: null, opened: null, frames: null, step: 0, tries: 0 };

function tell(text) { byId("error").textContent = text; }
function show(id) { for (const name of ["start", "links", "table"]) byId(name).hidden = name !== id; byId("home").hidden = id === "start"; }

async function ask(path, options) {
  const answer = await fetch(path, options);
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error || `the server answered ${answer.status}`);
  return content;
}

// Start page

async function start() {
  show("start");
  state.games = state.games || await ask("/api/games");
  byId("games").replaceChildren(...state.games.games.map((game) => {
    const choose = element("button", { type: "button", "data-game": game.name }, `Play ${game.title}`);
    choose.addEventListener("click", () => setUp(game));
    const rules = game.rules ? element("a", { href: game.rules }, `Rules of ${game.title}`) : "";
    return element("article", { class: "game" }, element("img", { src: `/picture/${game.name}.png`, alt: "", width: 480, height: 320 }),
      element("h3", {}, game.title), element("p", {}, game.aim), choose, " ", rules);
  }));
}

function setUp(game) {
  state.game = game;
  byId("setup").hidden = false;
  byId("setup-title").textContent = game.title;
  byId("variant").replaceChildren(...game.variants.map((name) => element("option", { value: name }, name.replaceAll("_", " "))));
  const [low, usual, high] = game.players;
  Object.assign(byId("players"), { min: low, max: high, value: usual });
  byId("agents").replaceChildren(...game.agents.map((name) => element("option", { value: name })));
  seats();
  byId("setup-title").focus();
}

function seats() {
  const count = Number(byId("players").value);
  const [low, , high] = state.game.players;
  if (!(count >= low && count <= high)) return;
  const kept = [...byId("seats").querySelectorAll("select")].map((one) => one.value);
  const names = [...Array(count).keys()].map((seat) => `player_${seat}`).concat(state.game.extra_roles);
  byId("seats").replaceChildren(...names.map((name, seat) => {
    const options = [["person", seat === 0 ? "you" : "a person, by link"], ...state.game.agents.map((agent) => [agent, agent])];
    if (state.games.any_agent) options.push(["other", "another agent…"]);
    const wanted = kept[seat] || (seat === 0 ? "person" : state.game.agents.includes("heuristic") ? "heuristic" : "random");
    const select = element("select", {}, ...options.map(([value, text]) => element("option", { value }, text)));
    if (options.some(([value]) => value === wanted)) select.value = wanted;
    const other = element("input", { type: "text", "aria-label": `${name}: name or folder of the agent`, placeholder: "search:deals=256, runs/NAME", hidden: true });
    const toggle = () => { other.hidden = select.value !== "other"; };
    select.addEventListener("change", () => { toggle(); practice(); });
    toggle();
    return element("label", {}, name, select, other);
  }));
  practice();
}

function chosenAgents() {
  return [...byId("seats").querySelectorAll("label")].map((label) => {
    const value = label.querySelector("select").value;
    return value === "other" ? label.querySelector("input").value : value;
  });
}

function practice() {
  const alone = chosenAgents().filter((name) => name === "person").length === 1;
  byId("practice").disabled = !alone;
}

async function open(asked) {
  tell("");
  state.opened = asked;
  const made = await ask("/api/tables", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) });
  const links = Object.entries(made.seats);
  if (links.length === 1) { location.hash = links[0][1]; return; }
  show("links");
  byId("seat-links").replaceChildren(...links.map(([name, hash]) => element("li", {}, element("a", { href: `/${hash}`, "data-seat": name }, `Sit down as ${name}`), ": ", element("code", {}, `${location.origin}/${hash}`))));
}

// A seat at a table

function sit() {
  const [table, key] = location.hash.slice(1).split(".");
  if (state.socket) { state.socket.onclose = null; state.socket.close(); }
  Object.assign(state, { position: null, last: null, shown: 0, frames: null });
  byId("log").replaceChildren();
  show("table");
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/table`);
  state.socket = socket;
  socket.onopen = () => socket.send(JSON.stringify({ table, key }));
  socket.onmessage = (event) => take(JSON.parse(event.data));
  socket.onclose = () => {
    if (state.fatal) return;
    tell("The connection is gone; trying again. Your seat is held.");
    state.tries += 1;
    setTimeout(() => { if (state.socket === socket) sit(); }, Math.min(10000, 300 * 2 ** state.tries));
  };
}

function take(message) {
  if (message.type === "error") { tell(message.message); state.fatal = Boolean(message.fatal); return; }
  tell("");
  state.tries = 0;
  if (message.type === "position") draw(message);
  else if (message.type === "hint") advise(message);
  else if (message.type === "review") review(message);
}

function draw(message) {
  state.position = message;
  if (state.frames) return;
  const before = document.activeElement && document.activeElement.closest("#actions, #own, #centre") !== null;
  byId("title").textContent = `${message.scene.title}: you are ${message.name}`;
  drawScene(message.scene, { legal: message.legal, who: message.who, choose, last: state.last });
  state.last = message.scene;
  choices(message);
  log(message);
  if (before || document.activeElement === document.body) { const first = byId("actions").querySelector("button"); if (first) first.focus({ preventScroll: true }); }
}

function choices(message) {
  const { legal } = message;
  byId("secret").hidden = !legal.some((one) => one.secret);
  byId("secret").textContent = legal.every((one) => one.secret) ? "The others do not see what you choose." : "The others do not see what is marked as unseen.";
  byId("advice").textContent = "";
  byId("actions").replaceChildren(...legal.map((one, index) => {
    const button = element("button", { type: "button", "data-action": one.action }, index < 9 ? element("kbd", { "aria-hidden": "true" }, String(index + 1)) : "", ` ${one.name}${one.secret && !legal.every((other) => other.secret) ? " (unseen)" : ""}`);
    button.addEventListener("click", () => choose([one]));
    return button;
  }));
  byId("choices-title").textContent = message.over ? ending(message) : legal.length ? "Your choices" : "The others are to act";
  const practising = message.practice && !message.over;
  byId("hint").hidden = byId("hint-by").hidden = !practising || !legal.length;
  byId("undo").hidden = !message.practice || !message.undo;
  byId("review").hidden = !message.over;
  byId("again").hidden = !message.over || !state.opened;
  if (practising && !byId("hint-agent").options.length) hintAgents(message);
}

async function hintAgents(message) {
  state.games = state.games || await ask("/api/games");
  const game = state.games.games.find((one) => one.title === message.scene.title) || state.games.games[0];
  const names = game.agents.filter((name) => name !== "random");
  byId("hint-agent").replaceChildren(...names.map((name) => element("option", { value: name }, name)));
}

function ending(message) {
  const paid = Object.entries(message.payoffs).map(([name, value]) => `${name} ${value > 0 ? "+" : ""}${value.toFixed(2)}`);
  return `The game is over${message.truncated ? ", truncated" : ""}. ${paid.join(", ")}`;
}

function log(message) {
  const list = byId("log");
  if (message.told_count < state.shown) { list.replaceChildren(); state.shown = 0; }
  const fresh = Math.min(message.told_count - state.shown, message.told.length);
  message.told.slice(message.told.length - fresh).forEach((line) => list.append(element("li", {}, line)));
  while (list.children.length > 300) list.firstChild.remove();
  state.shown = message.told_count;
  byId("log-box").scrollTop = list.scrollHeight;
}

function send(message) {
  if (state.socket && state.socket.readyState === WebSocket.OPEN && state.position) {
    state.socket.send(JSON.stringify({ ...message, turn: state.position.turn }));
  }
}

function choose(matching) {
  if (matching.length === 1) { send({ type: "act", action: matching[0].action }); return; }
  const first = byId("actions").querySelector(`[data-action="${matching[0].action}"]`);
  if (first) first.focus();
}

function advise(message) {
  const parts = [];
  for (const one of message.legal) {
    const button = byId("actions").querySelector(`[data-action="${one.action}"]`);
    const gain = one.gain === undefined ? "" : `, ${one.gain >= 0 ? "+" : ""}${one.gain.toFixed(2)}${one.error === undefined ? "" : ` ± ${one.error.toFixed(2)}`}`;
    const words = `${Math.round(100 * one.probability)} %${gain}`;
    if (button) {
      button.querySelectorAll("small").forEach((old) => old.remove());
      button.append(element("small", {}, ` ${words}`));
      button.classList.toggle("advised", one.action === message.action);
    }
    if (one.probability > 0 || one.gain !== undefined) parts.push(`${one.name} ${words}`);
  }
  const worth = message.value === null ? "" : ` The position is worth ${message.value.toFixed(2)}.`;
  byId("advice").textContent = `${message.agent} would ${message.name}. ${parts.join("; ")}.${worth}`;
}

// A game to step through

function review(message) {
  state.frames = message.frames;
  show("table");
  byId("steps").hidden = false;
  byId("choices").hidden = true;
  byId("step").max = message.frames.length - 1;
  byId("save").href = URL.createObjectURL(new Blob([message.replay.join("\n") + "\n"], { type: "application/jsonl" }));
  byId("title").textContent = `${message.frames[0].scene.title}: all hands shown`;
  byId("log").replaceChildren();
  go(0);
}

function go(step) {
  if (!state.frames) return;
  state.step = Math.max(0, Math.min(state.frames.length - 1, step));
  const frame = state.frames[state.step];
  drawScene(frame.scene, { open: true, last: state.step ? state.frames[state.step - 1].scene : null });
  byId("step").value = state.step;
  byId("step-text").textContent = `${state.step + 1} of ${state.frames.length}`;
  byId("log").replaceChildren(...frame.done.map((line) => element("li", {}, line)));
}

// Keys

function walk(forward) {
  const buttons = [...byId("actions").querySelectorAll("button")];
  if (!buttons.length) return;
  const here = buttons.indexOf(document.activeElement);
  const next = here < 0 ? (forward ? 0 : buttons.length - 1) : (here + (forward ? 1 : buttons.length - 1)) % buttons.length;
  buttons[next].focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("table").hidden) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const forward = { ArrowRight: true, ArrowDown: true, ArrowLeft: false, ArrowUp: false }[event.key];
  if (state.frames) {
    if (forward === undefined) return;
    go(state.step + (forward ? 1 : -1));
  } else if (/^[1-9]$/.test(event.key)) {
    const legal = state.position ? state.position.legal : [];
    if (legal[Number(event.key) - 1]) choose([legal[Number(event.key) - 1]]);
  } else if (event.key === "?") byId("hint").click();
  else if (event.key === "u") byId("undo").click();
  else if (forward !== undefined && document.activeElement !== byId("log-box")) walk(forward);
  else return;
  event.preventDefault();
});

function begin() {
  tell("");
  state.fatal = false;
  byId("steps").hidden = true;
  byId("choices").hidden = false;
  if (location.hash.includes(".")) sit();
  else if (location.hash === "#replay") ask("/api/shown").then(review).catch((error) => tell(error.message));
  else start().catch((error) => tell(error.message));
}

byId("players").addEventListener("change", seats);
byId("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  const seed = byId("seed").value.trim();
  const asked = { game: state.game.name, variant: byId("variant").value, players: Number(byId("players").value), agents: chosenAgents(),
    practice: byId("practice").checked && !byId("practice").disabled };
  if (seed) asked.seed = Number(seed);
  open(asked).catch((error) => tell(error.message));
});
byId("load").addEventListener("change", async (event) => {
  tell("");
  const [file] = event.target.files;
  if (!file) return;
  try { review(await ask("/api/replay", { method: "POST", body: await file.text() })); } catch (error) { tell(error.message); }
});
byId("hint").addEventListener("click", () => send({ type: "hint", agent: byId("hint-agent").value || "heuristic" }));
byId("undo").addEventListener("click", () => send({ type: "undo" }));
byId("review").addEventListener("click", () => send({ type: "review" }));
byId("again").addEventListener("click", () => { const { seed, ...asked } = state.opened; open(asked).catch((error) => tell(error.message)); });
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(state.step - 1));
byId("forth").addEventListener("click", () => go(state.step + 1));
byId("last").addEventListener("click", () => go(Infinity));
byId("step").addEventListener("input", () => go(Number(byId("step").value)));
byId("animate").addEventListener("change", () => document.body.classList.toggle("animate", byId("animate").checked));
document.body.classList.add("animate");
window.addEventListener("hashchange", begin);
begin();
