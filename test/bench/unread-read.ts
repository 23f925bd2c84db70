import { buildRequest, openConnection } from "./http-connection.js";
import type { Lab } from "./lab.js";
import { longHistory, type Reader, readers } from "./long-history.js";
import { openBenchJournal } from "./open-bench-journal.js";
import type { Measurement, Row } from "./row.js";
import { median, type Pair, summarize } from "./statistics.js";

/** Reading a few unread messages must not grow with the history behind them. */
export const unreadRead: Measurement = {
  name: "unread",
  async run(lab) {
    const many = lab.quick ? 100_000 : 1_000_000;
    const homes = { short: await longHistory(10_000), long: await longHistory(many) };
    const row = { against: "with 10,000", limit: { on: "ratio", is: "at most", bound: 3 } } as const;
    const rows: Row[] = [
      {
        what: `Unread read out of ${many.toLocaleString("en")} events, over HTTP`,
        unit: "ms",
        ...row,
        ...summarize(await readOverHttp(lab, homes)),
      },
      {
        what: "The same, its queries alone",
        unit: "µs",
        ...row,
        ...summarize(await readViews(lab, homes)),
      },
    ];
    return rows;
  },
};

type Homes = { short: string; long: string };
type Timed = (reader: Reader) => number | Promise<number>;

async function readOverHttp(lab: Lab, { short, long }: Homes): Promise<Pair[]> {
  const timedBy = async (home: string): Promise<Timed> => {
    // Handed out once, an offer stands for the whole run: what is measured is the reading.
    const hub = await lab.hub({ home, set: ["inbox.reoffer_after=24h"] });
    const connection = openConnection(hub.port);
    lab.onClose(connection.close);
    const { port } = hub;
    const requests = new Map(
      readers.map(({ token }) => [token, buildRequest({ port, method: "GET", path: "/api/inbox", token })]),
    );
    lab.onClose(() => lab.stop(hub));
    return async ({ token }) => {
      const request = requests.get(token) ?? Buffer.alloc(0);
      const start = performance.now();
      const { status, body } = await connection.ask(request);
      const took = performance.now() - start;
      const { messages } = JSON.parse(body) as { messages?: unknown[] };
      if (status !== 200 || messages?.length !== 5) throw new Error(`an unread read: ${status} ${body}`);
      return took;
    };
  };
  return alternate(lab, await timedBy(short), await timedBy(long));
}

async function readViews(lab: Lab, { short, long }: Homes): Promise<Pair[]> {
  await lab.close(); // The hubs above hold these files.
  const timedBy = (home: string): Timed => {
    const journal = openBenchJournal(home);
    lab.onClose(journal.close);
    const { inbox, messages, roster } = journal.views;
    return ({ name }) => {
      const agent = roster.byName(name, "main")?.id ?? "";
      const start = performance.now();
      const read = inbox.unread(agent, 0, 101).map(({ seq }) => messages.bySeq(seq));
      const took = performance.now() - start;
      if (read.length !== 5) throw new Error(`${name} has ${read.length} unread`);
      return took * 1000;
    };
  };
  return alternate(lab, timedBy(short), timedBy(long));
}

async function alternate(lab: Lab, short: Timed, long: Timed): Promise<Pair[]> {
  for (const reader of readers) {
    await short(reader);
    await long(reader);
  }
  const pairs: Pair[] = [];
  for (let round = 0; round < (lab.quick ? 3 : 7); round++) {
    const [anchors, ours]: [number[], number[]] = [[], []];
    for (const reader of [...readers, ...readers]) {
      anchors.push(await short(reader));
      ours.push(await long(reader));
    }
    pairs.push({ anchor: median(anchors), ours: median(ours) });
  }
  return pairs;
}
