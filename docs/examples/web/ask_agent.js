// Asks an agent of a running `poopdeck serve` what it would do; runs in Node 18 or newer, and in a page of the server.
//
//   node ask_agent.js http://127.0.0.1:8765 poop heuristic position.json

async function askAgent(server, game, agent, scenario) {
  const answer = await fetch(`${server}/act`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ game, agent, scenario }),
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error);
  return content;
}

if (typeof process !== "undefined") {
  const [server, game, agent, path] = process.argv.slice(2);
  const scenario = JSON.parse(require("fs").readFileSync(path, "utf-8"));
  askAgent(server, game, agent, scenario).then((found) => {
    console.log(`${found.agent} at seat ${found.seat}: ${found.name}`);
    for (const choice of found.legal) console.log(`  ${choice.name}: ${choice.probability}`);
  });
}
