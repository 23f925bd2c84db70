import type { PeerListener } from "./http/peer-listener.js";

/** The listener, opened while there is a secret by which somebody could show who they are, and closed while there is none. */
export type Listening = {
  /** Opens or closes it as it should be. Resolves to its port; rejects if it cannot be opened. */
  settle(): Promise<number | undefined>;
  port(): number | undefined;
  close(): Promise<void>;
};

type ListeningOptions = {
  host: string;
  port: number;
  create: () => PeerListener;
  isWanted: () => boolean;
};

export function createListening({ host, port, create, isWanted }: ListeningOptions): Listening {
  let open: { listener: PeerListener; port: number } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function act(): Promise<number | undefined> {
    const shouldBeOpen = !isClosed && isWanted();
    if (shouldBeOpen && open === undefined) {
      const listener = create();
      const got = await listener.listen(host, port);
      open = { listener, port: got };
    } else if (!shouldBeOpen && open !== undefined) {
      const { listener } = open;
      open = undefined;
      await listener.close();
    }
    return open?.port;
  }

  /** One after the other: two at once would both open it. */
  function settle(): Promise<number | undefined> {
    const next = last.then(act, act);
    last = next.catch(() => {});
    return next;
  }

  return {
    settle,
    port: () => open?.port,
    async close() {
      isClosed = true;
      await settle();
    },
  };
}
