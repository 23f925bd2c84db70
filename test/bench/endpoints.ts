import { join } from "node:path";
import type { Peer } from "../../src/model/peer.js";
import type { Endpoint, EndpointsAsk, Mail, OpenedEndpoint } from "./children/link-endpoints.js";
import type { BenchServer } from "./fabric-server.js";
import type { Lab } from "./lab.js";

/** Link endpoints in a few processes: what a hub is to others, without the hub. */
export type Endpoints = {
  pids: readonly number[];
  /** The two of each pair know each other from then on. */
  introduce(pairs: readonly Pair[]): Promise<void>;
  /** So many more hubs that came once and went: their mailboxes stay on the server. */
  leaveMailboxes(count: number, withMail: boolean): Promise<void>;
  /** Everything at once; resolves when all of it has come, each once and in order. */
  exchange(mail: readonly Mail[]): Promise<void>;
};
type Pair = Pick<Mail, "from" | "to">;

type Shape = { processes: number; names: readonly string[]; mailPerBatch: number };

/** Two hundred hubs that each write to each, on a busy machine. */
const LONG_MS = 1_500_000;

/** Name after name, each in the next process. Without a server, over HTTP. */
export async function openEndpoints(
  lab: Lab,
  { processes, names, mailPerBatch }: Shape,
  server?: BenchServer,
): Promise<Endpoints> {
  const children = await Promise.all(Array.from({ length: processes }, () => lab.child("link-endpoints")));
  const folder = lab.folder();
  const [first, ...others] = names.map(
    (name): Endpoint => server?.admit(name) ?? { name, keyFile: join(folder, `${name}.key`) },
  );
  const homes = new Map(names.map((name, n) => [name, n % processes]));
  const homeOf = (name: string) => homes.get(name) ?? 0;
  const known = new Map<string, OpenedEndpoint>();

  const ask = (asked: (home: number) => EndpointsAsk) =>
    Promise.all(children.map((child, home) => child.ask(asked(home), LONG_MS)));
  const open = async (endpoints: readonly Endpoint[]) => {
    const at = (home: number) => endpoints.filter(({ name }) => homeOf(name) === home);
    const opened = await ask((home) => ({ do: "open", endpoints: at(home), mailPerBatch }));
    for (const one of opened.flatMap((all) => all as OpenedEndpoint[])) known.set(one.name, one);
  };
  if (first !== undefined) await open([first]);
  await open(others);

  const got = new Map<string, number>();
  return {
    pids: children.map(({ greeting }) => Number(greeting)),
    async introduce(pairs) {
      const peers = new Map<string, Peer[]>(names.map((name) => [name, []]));
      const both = pairs.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]);
      for (const pair of new Set(both)) {
        const [name = "", other = ""] = pair.split(" ");
        const opened = known.get(other);
        if (opened !== undefined) peers.get(name)?.push(peerOf(opened));
      }
      const at = (home: number) => names.filter((name) => homeOf(name) === home);
      await ask((home) => ({
        do: "know",
        peers: at(home).map((name) => ({ name, peers: peers.get(name) ?? [] })),
      }));
    },
    async leaveMailboxes(count, withMail) {
      const gone = Array.from({ length: count }, (_, n) => server?.admit(`gone-${n}`));
      const at = (home: number) => gone.flatMap((one, n) => (one && n % processes === home ? [one] : []));
      await ask((home) => ({ do: "leave", endpoints: at(home), withMail }));
    },
    async exchange(mail) {
      const all = mail.map(({ from, to, count }) => {
        const upTo = (got.get(`${from} ${to}`) ?? 0) + count;
        got.set(`${from} ${to}`, upTo);
        return { from, to, count: upTo };
      });
      await ask((home) => ({ do: "post", mail: mail.filter(({ from }) => homeOf(from) === home) }));
      await ask((home) => ({
        do: "await",
        mail: all.filter(({ to }) => homeOf(to) === home),
        withinMs: LONG_MS,
      }));
    },
  };
}

function peerOf({ name, id, publicKey, port }: OpenedEndpoint): Peer {
  const place =
    port === 0
      ? { host: "", port, origin: "fabric" as const }
      : { host: "127.0.0.1", port, origin: "added" as const };
  return { name, kind: "hub", label: null, hubId: id, publicKey, secret: null, ...place };
}
