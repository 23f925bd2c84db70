import { setTimeout as sleep } from "node:timers/promises";
import type { HubClient } from "../client/hub-client.js";
import { HubError } from "../model/errors.js";
import type { McpAgent } from "./mcp-agent.js";

/** What tells the person what happens. */
export type Narrator = {
  scene(title: string, text: string): void;
  /** A message, a question, an output. */
  line(text: string): void;
  /** It was seen to happen. */
  seen(text: string): void;
};

/** What a scene plays with. */
export type Stage = Narrator & {
  client: HubClient;
  ann: McpAgent;
  bob: McpAgent;
  cleo: McpAgent;
  project: string;
  /** Time to read; none where nobody reads. */
  pause(ms: number): Promise<void>;
  /** Whether a person sits at the terminal, and what they have typed since the last time. */
  canType: boolean;
  typed(): string;
  /** For how long the person has time to answer. */
  answerWithinMs: number;
  signal: AbortSignal;
};

/** Answers with what was seen; a scene that does not see what it must throws. */
export type Scene = { title: string; text: string; play(stage: Stage): Promise<string> };

const LOOK_EVERY_MS = 100;
const SEEN_WITHIN_MS = 30_000;

/** Looks until there is something to see. */
export async function until<T>(
  look: () => Promise<T | undefined>,
  what: string,
  { signal }: Pick<Stage, "signal">,
): Promise<T> {
  const deadline = performance.now() + SEEN_WITHIN_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new HubError("TIMED_OUT", `This did not happen in time: ${what}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

export function expectThat(isTrue: boolean, what: string): void {
  if (!isTrue) throw new HubError("INTERNAL", `This was not seen: ${what}`);
}
