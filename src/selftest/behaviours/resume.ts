import { send, untilSettled } from "../mail.js";
import { words } from "../script-model.js";
import { expectThat, type Stage, shows, untilShown } from "../stage.js";

/** Before the restart of the hub. */
export async function remember(stage: Stage): Promise<void> {
  await untilSettled(stage, await send(stage, words.remember(stage.agent)));
}

/** After it. */
export async function resume(stage: Stage): Promise<void> {
  const { agent } = stage;
  const sent = await send(stage, words.resume(agent));
  const turn = await untilShown(stage, words.resume(agent));
  await untilSettled(stage, sent);
  expectThat(
    shows(turn, words.remember(agent)),
    "It began a new session: its model was not shown what was said before the restart",
  );
}
