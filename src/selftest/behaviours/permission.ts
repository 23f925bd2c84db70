import { existsSync } from "node:fs";
import { join } from "node:path";
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
  const asked = await until(stage, `it asked whether it may run touch ${file}`, async () => {
    const { permissions } = await hub.operator().permissions();
    const one = permissions.find((open) => open.agent === agent);
    // It went on without having asked.
    expectThat(one !== undefined || !isThere(), `It ran touch ${file} without asking`);
    return one;
  });
  expectThat(!isThere(), `It ran touch ${file} before it was told that it may`);
  await hub.operator().answerPermission(asked.id, decision);
  await untilSettled(stage, sent);
  if (decision === "once") expectThat(isThere(), `It was told that it may run touch ${file}, and did not`);
  else expectThat(!isThere(), `It was told that it may not run touch ${file}, and did`);
}
