import type { HubClient } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { relativeTime } from "../amounts.js";
import type { CliContext } from "../context.js";
import { escapeBlock } from "../escape-text.js";
import { liveWriter } from "../render-live.js";
import type { AgentRow } from "./top-state.js";

/** What is kept of an agent's output: some screens full. */
const MOST_CHARACTERS = 64 * 1024;
/** Whoever goes past an agent on the way to another does not look at it. */
const LOOK_MS = 150;

export type OutputFollower = {
  /** Whose output is wanted now; told twice, nothing changes. */
  choose(agent: AgentRow | undefined): void;
  /** The hub was away. */
  again(): void;
  stop(): void;
};

/** The live output of one agent at a time, in the words of `huddle tail AGENT --live`. */
export function followOutput(cli: CliContext, onText: (agent: string, text: string) => void): OutputFollower {
  let agent: AgentRow | undefined;
  let watch: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;

  function begin(): void {
    clearTimeout(timer);
    watch?.abort();
    const wanted = agent;
    // Of those that the hub does not run it knows only the mail.
    if (wanted?.runtime === undefined) return;
    timer = setTimeout(() => {
      const stop = new AbortController();
      watch = stop;
      void follow(cli, wanted, stop.signal, (text) => onText(wanted.id, text));
    }, LOOK_MS);
  }

  return {
    choose(next) {
      if (next?.id === agent?.id && next?.runtime === agent?.runtime) return;
      agent = next;
      begin();
    },
    again: begin,
    stop() {
      clearTimeout(timer);
      watch?.abort();
    },
  };
}

async function follow(
  cli: CliContext,
  { id }: AgentRow,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  const { colors } = cli.output;
  try {
    const [{ followLive }, { nodeSocket }, { locateHub }] = await Promise.all([
      import("../../client/live-stream.js"),
      import("../../client/node-socket.js"),
      import("../../client/connect.js"),
    ]);
    let text = await readLastTurn(await cli.client(), id, cli);
    if (!signal.aborted) onText(text);
    let write = liveWriter(colors, false);
    const stream = followLive({
      open: nodeSocket(() => locateHub({ env: cli.io.env, home: cli.io.home, hub: cli.globals.hub })),
      agent: id,
      signal,
      onState({ kind }) {
        // What is still under way is told again from its beginning.
        if (kind === "live") write = liveWriter(colors, false);
      },
    });
    for await (const frame of stream) {
      const more = write(frame);
      if (more === "") continue;
      text = (text + more).slice(-MOST_CHARACTERS);
      onText(text);
    }
  } catch (error) {
    // That the hub is away, or the agent, is said elsewhere; `again` looks anew.
    if (!(error instanceof HubError) && !signal.aborted) throw error;
  }
}

/** How its last turn ended, for somebody who comes between two. */
async function readLastTurn(client: HubClient, id: string, { io, output }: CliContext): Promise<string> {
  const { turns } = await client.turns(id, { limit: 1 });
  const [last] = turns;
  if (last === undefined || last.ended === null) return "";
  const when = relativeTime(Date.parse(last.ended), io.now());
  const end = last.stop === null || last.stop === "end_turn" ? "" : `, ${last.stop}`;
  const said = escapeBlock((last.error ?? last.text).trim()).slice(-MOST_CHARACTERS);
  return `${output.colors.dim(`── its last turn, ${when}${end} ──`)}\n${said === "" ? "" : `${said}\n`}`;
}
