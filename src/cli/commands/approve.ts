import { Argument } from "commander";
import type { PermissionDecision } from "../../model/permission.js";
import { answerPermission } from "../answer-permission.js";
import type { DefineCommand } from "../define-command.js";

type ApproveOptions = { session?: true; always?: true };
type Granted = Exclude<PermissionDecision, "deny">;
const granted: readonly Granted[] = ["once", "session", "always"];

export const define: DefineCommand = (command, act) => {
  command
    .argument("<id>", "what huddle inbox shows, or its beginning")
    .addArgument(new Argument("[how]", "for how long; default: once").choices(granted))
    .option("--session", "for as long as the agent's session lasts")
    .option("--always", "for good, where the agent offers that")
    .action((id: string, how: Granted | undefined, { session, always }: ApproveOptions) => {
      const asked = always === true ? "always" : session === true ? "session" : "once";
      return act((cli) => answerPermission(cli, id, how ?? asked));
    });
};
