import type { DefineCommand } from "./context.js";

/** As the list of commands has them, in this order. */
export const commandGroups = ["Start", "Talk", "Watch", "Decide", "Manage", "Work", "Keep", "Wire"] as const;

export type CommandEntry = {
  name: string;
  /** Other names of it. */
  aliases?: readonly string[];
  group: (typeof commandGroups)[number];
  /** What may follow the name. */
  usage: string;
  summary: string;
  /** Only the command that runs is loaded: the list alone must not cost its imports. */
  load: () => Promise<{ define: DefineCommand }>;
};
