"use strict";
// A scene as HTML. It knows no rules: a card is playable where a legal action names it.

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") made.className = value;
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

// The legal actions that a card stands for: by its label at the end of the name, or by its zone and place there.
function actionsOf(legal, zone, card, index, own) {
  const singular = zone.name.replace(/s$/, "");
  return legal.filter(({ name }) => {
    if (!own) return name === `draw ${singular} ${index + 1}` || (zone.style === "stack" && zone.name === `${name.replace(/^draw /, "")} deck`);
    if (zone.name === "face down") return name === `flip ${index + 1}`;
    if (!card.face_up || !card.label) return false;
    const rest = name.slice(name.indexOf(" ") + 1);
    return rest === card.label || (rest.startsWith(card.label + " x") && /^\d+$/.test(rest.slice(card.label.length + 2)));
  });
}

function cardWords(card) {
  const words = card.face_up ? card.label || "blank" : "face down";
  return words + (card.turned ? ", turned" : "") + (card.count > 1 ? `, ${card.count} times` : "");
}

function drawCard(card, matching, choose) {
  const colour = card.colour === "plain" ? "" : ` ${card.colour}`;
  const kind = `card${card.face_up ? "" : " back"}${card.turned ? " turned" : ""}${colour}`;
  const text = (card.face_up ? card.label || "\u00a0" : "\u00a0") + (card.count > 1 ? ` ×${card.count}` : "");
  if (!matching.length) {
    return element("li", {}, element("span", { class: kind, role: "img", "aria-label": cardWords(card) }, text));
  }
  const label = matching.length === 1 ? matching[0].name : `${cardWords(card)}: ${matching.map((one) => one.name).join(", ")}`;
  const button = element("button", { type: "button", class: kind, "aria-label": label }, text);
  button.addEventListener("click", () => choose(matching));
  return element("li", {}, button);
}

function cardsShown(zone) {
  if (zone.style === "stack" && zone.cards.length) {
    const total = zone.cards.reduce((sum, card) => sum + card.count, 0);
    return [{ ...zone.cards[zone.cards.length - 1], count: total }];
  }
  if (zone.cards.length > 6 && zone.cards.every((card) => !card.face_up)) {
    return [{ ...zone.cards[0], count: zone.cards.length }];
  }
  return zone.cards;
}

function drawZone(zone, legal, choose, own, before) {
  const list = element("ul", { class: "cards" });
  const kept = {};
  for (const key of before || []) kept[key] = (kept[key] || 0) + 1;
  const shown = zone.name === "face down" && own ? zone.cards : cardsShown(zone);
  shown.forEach((card, index) => {
    const drawn = drawCard(card, actionsOf(legal, zone, card, index, own), choose);
    const key = `${card.label}/${card.face_up}`;
    if (before && !kept[key]) drawn.classList.add("new");
    else if (kept[key]) kept[key] -= 1;
    list.append(drawn);
  });
  const total = zone.cards.reduce((sum, card) => sum + card.count, 0);
  return element("div", { class: "zone" }, element("h3", {}, `${zone.name} (${total})`), list);
}

function drawPlace(place, who, legal, choose, own, before) {
  const zones = element("div", { class: "zones" });
  place.zones.forEach((zone, index) => {
    zones.append(drawZone(zone, legal, choose, own, before && (before[index] || []).cards));
  });
  const by = who ? ` (${own ? "you" : who})` : "";
  const head = element("h2", {}, `${place.active ? "▶ " : ""}${place.name}`, element("small", {}, by), place.active ? element("small", {}, " to act") : "");
  const kind = `place${place.active ? " active" : ""}${place.out ? " out" : ""}`;
  return element("section", { class: kind, "aria-label": place.name }, head, place.note ? element("p", { class: "note" }, place.note) : null, zones);
}

function drawRoom(grid) {
  const body = element("tbody");
  const caption = grid.tokens.map(([column, row, label]) => `${label} at column ${column + 1}, row ${row + 1}`).join("; ");
  for (let row = 0; row < grid.height; row += 1) {
    const line = element("tr");
    for (let column = 0; column < grid.width; column += 1) {
      const here = grid.tokens.filter((token) => token[0] === column && token[1] === row);
      line.append(element("td", {}, here.map((token) => token[2].replace("player_", "P")).join(" ")));
    }
    body.append(line);
  }
  return element("table", { "aria-label": `The room: ${caption}` }, body);
}

// Draws a whole scene; `last` is the scene that was drawn before, for what is new in it.
function drawScene(scene, options) {
  const { legal = [], who = {}, choose = () => {}, last = null, open = false } = options;
  const zonesBefore = (name) => {
    const place = last && last.places.find((one) => one.name === name);
    return place ? place.zones.map((zone) => ({ cards: cardsShown(zone).map((card) => `${card.label}/${card.face_up}`) })) : null;
  };
  const [own, ...others] = scene.places;
  document.getElementById("status").textContent = scene.lines.join(" · ");
  document.getElementById("others").replaceChildren(
    ...others.map((place) => drawPlace(place, who[place.name], [], choose, false, zonesBefore(place.name))));
  document.getElementById("own").replaceChildren(
    drawPlace(own, who[own.name], legal, choose, !open, zonesBefore(own.name)));
  const centre = element("div", { class: "zones" });
  scene.centre.forEach((zone) => {
    const before = last && last.centre.find((one) => one.name === zone.name);
    const keys = before ? cardsShown(before).map((card) => `${card.label}/${card.face_up}`) : null;
    centre.append(drawZone(zone, legal, choose, false, keys));
  });
  document.getElementById("centre").replaceChildren(element("h2", {}, "Centre"), centre);
  document.getElementById("room").replaceChildren(...(scene.grid ? [drawRoom(scene.grid)] : []));
}
