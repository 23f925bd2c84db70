import type { AgentId } from "./agent.js";
import type { AdoptedPane, PermissionPolicy, RuntimeKind } from "./hosting.js";
import type { MessageId } from "./message.js";
import type { TaskId } from "./task.js";
import type { ToolsetName } from "./toolset.js";

export type SpawnRequest = {
  /** Who asks: the person, or the agent that becomes its parent. */
  by: AgentId;
  /** That of whoever asks, unless it is given. */
  backend?: string | undefined;
  name?: string | undefined;
  /** The folder it works in; that of whoever asks, unless it is given. */
  project?: string | undefined;
  team?: string | undefined;
  instance?: string | undefined;
  model?: string | undefined;
  runtime?: RuntimeKind | undefined;
  /** The person's to choose: an agent's children get what the backend says. */
  permissions?: PermissionPolicy | undefined;
  /** Unless it is given, what the configuration says for the backend or for all. */
  tools?: ToolsetName | undefined;
  /** It works in a git worktree of the project; unless it is given, what the configuration says for the backend. */
  worktree?: boolean | undefined;
  /** The task that it is started for. */
  task?: TaskId | undefined;
  /** Its first message, from whoever asks. */
  message?: string | undefined;
  adopted?: AdoptedPane | undefined;
  /** The same for a call that is made again, which then starts no second agent; likewise its message's. */
  id?: AgentId | undefined;
  messageId?: MessageId | undefined;
};

/** `starting`: it takes its time, and its mail waits for it. `waiting`: a dialog on its screen, which says `words`, waits for the person. */
export const spawnStates = ["started", "starting", "waiting"] as const;
export type Spawned = {
  id: AgentId;
  name: string;
  project: string | null;
  state: (typeof spawnStates)[number];
  words?: string;
  runtime: RuntimeKind;
  /** What would make it better than it is here. */
  hint?: string;
};
