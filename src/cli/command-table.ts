import { agentCommands } from "./agent-commands.js";
import type { CommandEntry } from "./command-entry.js";
import { hubCommands } from "./hub-commands.js";

/** Every command. */
export const commandTable: readonly CommandEntry[] = [...hubCommands, ...agentCommands];
