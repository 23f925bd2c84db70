import { steps } from "../script.js";
import { expectThat, type Scene, until } from "../stage.js";

export const workflow: Scene = {
  title: "Workflow",
  text: "Three steps in one plan. What a step puts out flows into the prompt of the next.",
  async play(stage) {
    const { client, project, line, pause, signal } = stage;
    const { workflow_id } = await client.createWorkflow({
      name: "Fix the login test",
      project,
      steps: steps.map(({ name, prompt }, at) => ({
        name,
        // hal is there already; for the step between, the hub starts an agent of its own.
        ...(at === 1 ? { backend: "scripted" } : { agent: "hal" }),
        prompt,
        depends_on: steps.slice(Math.max(0, at - 1), at).map((before) => before.name),
      })),
    });
    const told = new Set<string>();
    const ended = await until(
      async () => {
        const run = await client.workflow(workflow_id, {}, { signal });
        for (const { name, status, output } of run.steps) {
          if (status !== "done" || told.has(name)) continue;
          told.add(name);
          line(`${name.padEnd(11)} ${output ?? ""}`);
          await pause(800);
        }
        return run.ended === null ? undefined : run;
      },
      "the workflow ends",
      stage,
    );
    const outputs = ended.steps.map(({ output }) => output ?? "");
    const isAsWritten = steps.every(({ answer }, at) => outputs[at]?.includes(answer));
    expectThat(ended.status === "done" && isAsWritten, `the three steps are done (${ended.status})`);
    return "3 of 3 steps done";
  },
};
