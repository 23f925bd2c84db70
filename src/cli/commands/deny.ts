import type { DefineCommand } from "../context.js";
import { answerPermission } from "./approve.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("<id>", "what huddle inbox shows, or its beginning")
    .action((id: string) => act((cli) => answerPermission(cli, id, "deny")));
};
