import type { DefineCommand } from "../context.js";
import { answerPermission } from "./approve.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("<id>", "what huddle inbox shows, a part of it, or the agent that asks one thing")
    .action((id: string) => act((cli) => answerPermission(cli, id, "deny")));
};
