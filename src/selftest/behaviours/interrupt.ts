import { send, untilSettled } from "../mail.js";
import { words } from "../script-model.js";
import { expectThat, type Stage, shows, until, untilShown } from "../stage.js";

export async function interrupt(stage: Stage): Promise<void> {
  const { agent, model, lane } = stage;
  const [story, order] = [words.story(agent), words.interrupt(agent)];
  const long = await send(stage, story);
  await untilShown(stage, story);
  const stop = await send(stage, order, "interrupt");
  const next = await untilShown(stage, order);
  await untilSettled(stage, stop);
  await untilSettled(stage, long);
  await until(stage, "it let go of the answer that was interrupted", () =>
    model.requests.main(lane).find((request) => request.outcome.kind === "cut" && shows(request, story)),
  );
  expectThat(shows(next, story), "After the interrupt its model was not shown what was asked before");
}
