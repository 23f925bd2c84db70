/** The ways in which the hub drives an agent that it started. */
export const runtimeKinds = ["acp", "headless", "tmux"] as const;
export type RuntimeKind = (typeof runtimeKinds)[number];

/** What happens when an agent asks for a permission: the person is asked, or it is answered at once. */
export const permissionPolicies = ["ask", "allow-reads", "allow-all", "deny"] as const;
export type PermissionPolicy = (typeof permissionPolicies)[number];

/** Where an agent's screen is now; `socket` as for `tmux -L`, or a path as for `-S`, and null for the person's own server. */
export type TmuxPane = { session: string; pane: string; socket: string | null };

/** What a pane's screen shows while it takes nothing; `ready`: it only looks as if it would. */
export const paneStates = ["draft", "dialog", "busy", "starting", "copy-mode", "ready"] as const;
export type PaneState = (typeof paneStates)[number];

/** A pane that the person started: the hub types into it, and leaves it when it stops. */
export type AdoptedPane = {
  target: string;
  socket?: string;
  /** Its first process: a tmux server that was restarted gives the numbers of panes again. */
  pid?: number;
  /** Its CLI has a bridge of its own: it was an agent before it was adopted, and is one when it is let go. */
  bridged?: true;
};

/** A person started it, with a bridge of its own; the hub only types into its pane. */
export function isBridged(agent: { adopted: AdoptedPane | null } | undefined): boolean {
  return agent?.adopted?.bridged === true;
}
