import { setTimeout as sleep } from "node:timers/promises";
import type { HubClient } from "../client/hub-client.js";
import { type McpAgent, startMcpAgent } from "./mcp-agent.js";
import { join } from "./scenes/join.js";
import { message } from "./scenes/message.js";
import { pacing } from "./scenes/pacing.js";
import { permission } from "./scenes/permission.js";
import { request } from "./scenes/request.js";
import { workflow } from "./scenes/workflow.js";
import type { Narrator, Stage } from "./stage.js";

const scenes = [join, message, pacing, request, permission, workflow] as const;

export const sceneCount = scenes.length;

type DemoOptions = {
  client: HubClient;
  narrator: Narrator;
  /** The command that starts the bridge, and the environment that leads it to the demo's hub. */
  bridge: readonly [string, ...string[]];
  env: Readonly<Record<string, string>>;
  /** Where the agents work. */
  project: string;
  /** Without time to read, and without waiting for the person. */
  fast: boolean;
  typed: { isPerson: boolean; take(): string };
  signal: AbortSignal;
  /** Told of each agent, so that it can be ended whatever happens. */
  onAgent(agent: McpAgent): void;
};

export type PlayedScene = { scene: string; seen: string; ms: number };

const ANSWER_WITHIN_MS = 10_000;

/** Plays every scene in turn on a hub of its own. Throws at the first that is not seen to happen. */
export async function playDemo(options: DemoOptions): Promise<PlayedScene[]> {
  const { client, narrator, bridge, env, project, fast, typed, signal, onAgent } = options;
  const enter = (name: string) => {
    const agent = startMcpAgent({ name, bridge, env, cwd: project, signal });
    onAgent(agent);
    return agent;
  };
  const stage: Stage = {
    ...narrator,
    client,
    ann: enter("ann"),
    bob: enter("bob"),
    cleo: enter("cleo"),
    project,
    pause: (ms) => (fast ? Promise.resolve() : sleep(ms, undefined, { signal })),
    canType: typed.isPerson,
    typed: typed.take,
    answerWithinMs: fast ? 0 : ANSWER_WITHIN_MS,
    signal,
  };
  const played: PlayedScene[] = [];
  for (const { title, text, play } of scenes) {
    signal.throwIfAborted();
    const begun = performance.now();
    narrator.scene(title, text);
    await stage.pause(800);
    const seen = await play(stage);
    narrator.seen(seen);
    played.push({ scene: title.toLowerCase(), seen, ms: Math.round(performance.now() - begun) });
  }
  return played;
}
