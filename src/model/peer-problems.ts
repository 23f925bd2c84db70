import type { PeerState } from "./peer-desk.js";

/** What links have to do with the health of a hub. */
export type PeerFacts = {
  /** Why links do not run, though they should. */
  links: string | undefined;
  peers: readonly Pick<
    PeerState,
    "name" | "reachable" | "secretState" | "waiting" | "oldestAt" | "distrusted" | "lastError"
  >[];
  /** Wall time. */
  now: number;
};

/** A hub that is away for a while is usual; mail that waits for one this long is worth a look. */
const LONG_MS = 10 * 60_000;

export function findPeerProblems({ links, peers, now }: PeerFacts) {
  const problem = (text: string, next: string) => ({ kind: "peer" as const, text, next });
  return [
    ...(links === undefined
      ? []
      : [problem(`Links to other hubs do not run: ${links}`, "Fix it and restart the hub.")]),
    ...peers.flatMap(({ name, reachable, secretState, waiting, oldestAt, distrusted, lastError }) => {
      if (distrusted !== null) {
        return [
          problem(
            distrusted.message,
            `If ${name} was set up anew, remove it and pair again: huddle peers rm ${name}, huddle peers invite. If not, somebody else has its secret: change it.`,
          ),
        ];
      }
      if (secretState === "missing") {
        return [
          problem(
            `The secret of ${name} cannot be read`,
            "Store it: huddle secret set, as huddle peers says.",
          ),
        ];
      }
      if (secretState === "wrong")
        return [
          problem(`${name} does not take this hub's secret`, "Give both the same one: huddle secret set."),
        ];
      if (reachable !== "no" || waiting === 0 || oldestAt === null || now - oldestAt < LONG_MS) return [];
      const count = waiting === 1 ? "1 message waits" : `${waiting} messages wait`;
      return [
        problem(
          `${count} for ${name}, which is not reached`,
          `${lastError === null ? "" : `${lastError.message}. `}They go out once it is back.`,
        ),
      ];
    }),
  ];
}
