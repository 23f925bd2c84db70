import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../fakes/http-call.js";
import type { Lab } from "./lab.js";
import { longHistory } from "./long-history.js";
import type { Measurement } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";

/** Indexing the whole history for the first time. */
const INDEXED_MS = 500_000;

/** A word that two messages hold, looked for in a long history and in one of two messages. */
export const search: Measurement = {
  name: "search",
  async run(lab) {
    const many = lab.quick ? 100_000 : 1_000_000;
    const long = await prepare(lab, await longHistory(many));
    const short = await prepare(lab, lab.folder());
    const pairs: Pair[] = [];
    for (let round = 0; round < 7; round++) {
      pairs.push({ anchor: await timed(short), ours: await timed(long) });
    }
    return [
      {
        what: `Search for a rare word among ${many.toLocaleString("en")} events`,
        against: "among two messages",
        unit: "ms",
        ...summarize(pairs),
        limit: { on: "ours", is: "at most", bound: 50 },
      },
    ];
  },
};

type Searched = { http: Caller; token: string; word: string };

async function prepare(lab: Lab, home: string): Promise<Searched> {
  const hub = await lab.hub({ home, set: ["inbox.cap=1000000"] });
  const registered = await hub.http.call("POST", "/api/agents", {
    token: hub.join,
    body: { name: `searcher-${Date.now()}` },
  });
  const token = String(registered.json["token"]);
  const to = String(registered.json["name"]);
  const word = `quokka${Date.now()}`;
  const operator = readFileSync(join(home, "token"), "utf8").trim();
  for (let i = 0; i < 2; i++) {
    await hub.http.call("POST", `/api/agents/${to}/messages`, {
      token: operator,
      body: { message: `a ${word} is rare` },
    });
  }
  const until = performance.now() + INDEXED_MS;
  const searched = { http: hub.http, token, word };
  while ((await find(searched)) < 2) {
    if (performance.now() > until) throw new Error("the index did not catch up");
    await sleep(500);
  }
  return searched;
}

async function find({ http, token, word }: Searched): Promise<number> {
  const { status, json } = await http.call("GET", `/api/search?q=${word}`, { token });
  if (status !== 200) throw new Error(`the search answered ${status}: ${JSON.stringify(json)}`);
  return (json["messages"] as unknown[]).length;
}

async function timed(searched: Searched): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    if ((await find(searched)) !== 2) throw new Error("the search found something else");
    times.push(performance.now() - start);
  }
  return median(times);
}
