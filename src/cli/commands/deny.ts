import { answerPermission } from "../answer-permission.js";
import type { DefineCommand } from "../define-command.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("<id>", "what huddle inbox shows, or its beginning")
    .action((id: string) => act((cli) => answerPermission(cli, id, "deny")));
};
