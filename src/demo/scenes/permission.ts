import { HubError } from "../../model/errors.js";
import { cleaning } from "../script.js";
import { expectThat, type Scene, type Stage, until } from "../stage.js";

export const permission: Scene = {
  title: "Permission",
  text: "The hub starts hal itself, over ACP. Whatever hal wants to run waits for you.",
  async play(stage) {
    const { client, project, line, pause, signal } = stage;
    await client.spawn({
      backend: "scripted",
      name: "hal",
      project,
      permissions: "ask",
      message: cleaning,
    });
    line(`you → hal   ${cleaning}`);
    const asked = await until(
      async () => (await client.permissions({ signal })).permissions.find(({ agent }) => agent === "hal"),
      "hal asks for a permission",
      stage,
    );
    line(`? hal wants to run: ${asked.title}`);
    const who = await answer(stage, asked.id);
    const { permissions } = await client.answeredPermissions(1, { signal });
    const outcome = permissions[0]?.outcome ?? "";
    expectThat(permissions[0]?.id === asked.id, "the permission is answered");
    const said = await until(
      async () => (await client.turns("hal", {}, { signal })).turns.find(({ ended }) => ended !== null)?.text,
      "hal ends its turn",
      stage,
    );
    expectThat(said.includes(outcome === "deny" ? "left build" : "removed build"), "hal does as it was told");
    line(`hal         ${said}`);
    await pause(1200);
    return `${who} ${outcome === "deny" ? "denied" : "allowed"} it, and hal did as told`;
  },
};

/** The first answer counts, on the desk or here; after a while the demo gives one, so that it goes on. */
async function answer(stage: Stage, id: string): Promise<string> {
  const { client, line, typed, answerWithinMs, signal } = stage;
  typed(); // What was typed before the question is no answer to it.
  if (answerWithinMs > 0) line(`  ${wayToAnswer(stage)} In ${answerWithinMs / 1000} s the demo says yes.`);
  const deadline = performance.now() + answerWithinMs;
  return until(
    async () => {
      const { permissions } = await client.permissions({ signal });
      if (!permissions.some((permission) => permission.id === id)) return "You";
      const decision = decisionIn(typed());
      if (decision === undefined && performance.now() < deadline) return undefined;
      try {
        await client.answerPermission(id, decision ?? "once", { signal });
      } catch (error) {
        // Answered on the desk in this very moment.
        if (error instanceof HubError && error.code === "PERMISSION_ANSWERED") return "You";
        throw error;
      }
      return decision === undefined ? "Nobody answered, so the demo" : "You";
    },
    "somebody answers",
    stage,
  );
}

function wayToAnswer({ canType }: Stage): string {
  return canType ? "Answer on the desk, or here: y or n, then Enter." : "Answer on the desk.";
}

function decisionIn(text: string): "once" | "deny" | undefined {
  if (/^\s*y/im.test(text)) return "once";
  return /^\s*n/im.test(text) ? "deny" : undefined;
}
