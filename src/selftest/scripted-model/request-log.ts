import { type Conversation, type ReplyPart, shownTexts } from "./conversation.js";
import type { ApiName } from "./wire.js";

/** A request to the model, kept for the test. */
export type ModelRequest = {
  number: number;
  lane: string;
  api: ApiName;
  path: string;
  conversation: Conversation;
  /** Asked by the CLI on its own behalf: scripts do not answer it. */
  side: boolean;
  /** The body as it came. */
  body: unknown;
  /** What the model answered so far. */
  reply: ReplyPart[];
  outcome: Outcome;
};

type Outcome =
  | { kind: "answering" }
  | { kind: "answered" }
  /** The client hung up before the end. */
  | { kind: "cut" }
  | { kind: "error"; status: number };

export type RequestLog = {
  all: ModelRequest[];
  /** Those that scripts answer, of one lane or of all. */
  main(lane?: string): ModelRequest[];
  /** The first main request that fits, now or later. */
  waitFor(what: string, fits: (request: ModelRequest) => boolean, timeoutMs?: number): Promise<ModelRequest>;
  /** How many different user texts or tool results of one lane's conversation held the text, at most. */
  timesShown(text: string, lane?: string): number;
  /** All of it in short, for the message of a failed test. */
  describe(lane?: string): string;
  /** Something about a request changed. */
  touch(): void;
};

export function createRequestLog(): RequestLog {
  const all: ModelRequest[] = [];
  const watchers = new Set<() => void>();
  const main = (lane?: string) =>
    all.filter((request) => !request.side && (lane === undefined || request.lane === lane));
  return {
    all,
    main,
    waitFor(what, fits, timeoutMs = 120_000) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = main().find(fits);
          if (found === undefined) return;
          clearTimeout(limit);
          watchers.delete(look);
          resolve(found);
        };
        const limit = setTimeout(() => {
          watchers.delete(look);
          reject(new Error(`the model was not asked: ${what}\n${describe(all)}`));
        }, timeoutMs);
        watchers.add(look);
        look();
      });
    },
    timesShown(text, lane) {
      return Math.max(
        0,
        ...main(lane).map(
          ({ conversation }) => shownTexts(conversation).filter((shown) => shown.includes(text)).length,
        ),
      );
    },
    describe: (lane) => describe(all.filter((request) => lane === undefined || request.lane === lane)),
    touch() {
      for (const watcher of watchers) watcher();
    },
  };
}

function describe(requests: readonly ModelRequest[]): string {
  if (requests.length === 0) return "It was asked nothing at all.";
  return requests
    .map(({ number, lane, api, side, outcome, conversation, reply }) => {
      const newest = shownTexts(conversation).at(-1)?.slice(-200) ?? "";
      const answer = reply.map((part) => (part.kind === "call" ? `call ${part.tool.name}` : part.text));
      const what = `${lane} ${api}${side ? " side" : ""} ${outcome.kind}`;
      return `#${number} ${what}: ${JSON.stringify(newest)} -> ${JSON.stringify(answer)}`;
    })
    .join("\n");
}
