import type { PermissionPolicy } from "../backend.js";
import type { Overlay } from "../backends/overlay-folder.js";
import type { HeadlessForm } from "../headless/headless-form.js";
import type { Launch, UsageLimit } from "../runtime.js";
import type { ScreenRule } from "../tmux/screen-rule.js";
import type { VendorName } from "./clients.js";

/*
 * All that Huddle knows about a vendor's CLI, as data: how it is found, how it is told of Huddle's tools, of the model and of
 * the permissions under each runtime, how its output is read, and what its screen shows. A vendor is a folder; nothing
 * outside of it knows a flag of theirs.
 */

export type Vendor = {
  vendor: VendorName;
  command: string;
  /** Arguments that make the CLI speak ACP, or another program that does. */
  acp: { args: readonly string[] } | { program: readonly string[] };
  install: string;
  /** Its own variables, passed on from the person's environment. `*` at the end stands for anything. */
  passEnv: readonly string[];
  /** What it says when it does not have the session that it was told to resume. */
  lostSession: RegExp;
  /**
   * What its words, as it ends a turn by an error or shows them on its screen, say of the person's usage limit; undefined when they
   * do not. Short limits that it waits out by itself are none.
   */
  readLimit(words: string, now: Date): UsageLimit | undefined;
  /** Its session while it runs; for a CLI whose session cannot be chosen in advance. */
  findSession?(traces: SessionTraces): Promise<string | undefined>;
  /** Taking up a session, it shows its input box before it has it, and forgets it if a prompt comes then. `findSession` tells. */
  resumesLate?: boolean;
  /** What the files of a session need before it can be loaded over ACP. */
  readySession?(session: string, launch: Launch): Promise<void>;
  /** Huddle's tools, where the CLI runs by itself: headless, or in a pane. They are never asked about. */
  wire(launch: Launch): Wiring;
  acpWire(launch: Launch): AcpWiring;
  /** The flag that begins a session of an id that we choose. Of others it is learnt while they run. */
  newSession?: string;
  /** One turn without a screen. */
  headless: HeadlessForm;
  screen: ScreenRule;
  /** Flags of the screen. */
  tui(options: { model?: string; resume?: string; policy: PermissionPolicy }): readonly string[];
};

/** Where a running CLI leaves signs of which session it is in. */
export type SessionTraces = {
  /** Files that its processes hold open. */
  openFiles(): Promise<readonly string[]>;
  /** The agent's private folder. */
  folder: string;
};

/** How one launch of a CLI is told of something. Files are written into the agent's private folder. */
export type Wiring = {
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  files?: readonly WiredFile[];
  overlay?: Overlay;
};
export type WiredFile = { path: string; text: string };

export type AcpWiring = Wiring & {
  /** Servers in `session/new`; empty when the configuration has them already. */
  servers: readonly McpCommand[];
  /** What `session/new` carries for this vendor's adapter alone. */
  meta?: Readonly<Record<string, unknown>>;
  /** How Huddle's tools are named in the permissions that it asks for in spite of the wiring; they are granted unasked. */
  ownTools?: RegExp;
  /** It is not offered to have its files read and written, since it fails with that. */
  ownFiles?: boolean;
  /** It drops a prompt that was cancelled from its history; the next prompt then tells what was in it. */
  forgetsCancelled?: boolean;
};

/** The name that agents see Huddle's tools under. */
export const serverName = "huddle";

type McpCommand = { name: string; command: string; args: string[] };

export function bridgeOf({ bridge }: Launch): McpCommand {
  const [command = "", ...args] = bridge;
  return { name: serverName, command, args };
}
