import { answerPermission } from "../answer-permission.js";
import type { DefineCommand } from "../define-command.js";

type ApproveOptions = { session?: true; always?: true };

export const define: DefineCommand = (command, act) => {
  command
    .argument("<id>", "what huddle inbox shows, or its beginning")
    .option("--session", "for as long as the agent's session lasts")
    .option("--always", "for good, where the agent offers that")
    .action((id: string, { session, always }: ApproveOptions) =>
      act((cli) =>
        answerPermission(cli, id, always === true ? "always" : session === true ? "session" : "once"),
      ),
    );
};
