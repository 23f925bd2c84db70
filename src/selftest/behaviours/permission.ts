import { existsSync } from "node:fs";
import { join } from "node:path";
import { HubError } from "../../model/errors.js";
import { send, untilSettled } from "../mail.js";
import { words } from "../script-model.js";
import { expectThat, type Stage, until } from "../stage.js";

export async function permission(stage: Stage): Promise<void> {
  await tryOne(stage, "once");
  await tryOne(stage, "deny");
}

async function tryOne(stage: Stage, decision: "once" | "deny"): Promise<void> {
  const { hub, agent, project } = stage;
  // The runtimes of a backend share the folder.
  const file = `${decision}-${agent}`;
  const isThere = () => existsSync(join(project, file));
  const sent = await send(stage, words.permission(agent, file));
  await until(stage, `it asked whether it may run touch ${file}, and took the answer`, async () => {
    const { permissions } = await hub.operator().permissions();
    const asked = permissions.find((open) => open.agent === agent && JSON.stringify(open).includes(file));
    // It went on without having asked.
    expectThat(asked !== undefined || !isThere(), `It ran touch ${file} without asking`);
    if (asked === undefined) return undefined;
    expectThat(!isThere(), `It ran touch ${file} before it was told that it may`);
    return hub.operator().answerPermission(asked.id, decision).catch(lookAgain);
  });
  await untilSettled(stage, sent);
  if (decision === "once") expectThat(isThere(), `It was told that it may run touch ${file}, and did not`);
  else expectThat(!isThere(), `It was told that it may not run touch ${file}, and did`);
}

/** On a slow screen a dialog can be drawn anew while it is answered; then it is asked about once more. */
function lookAgain(error: unknown): undefined {
  const isGone = error instanceof HubError && error.code === "PERMISSION_ANSWERED";
  if (!isGone) throw error;
}
