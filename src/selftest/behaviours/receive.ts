import { CellFailure } from "../cell.js";
import { send, untilSettled } from "../mail.js";
import { words } from "../script-model.js";
import { shownTexts } from "../scripted-model/conversation.js";
import { expectThat, type Stage, untilShown } from "../stage.js";

export async function receive(stage: Stage): Promise<void> {
  const text = words.receive(stage.agent);
  const sent = await send(stage, text);
  const request = await untilShown(stage, text).catch((error: unknown) => {
    // Nobody can tell what it would do with the model that it was set up for.
    if (
      error instanceof CellFailure &&
      error.kind === "fails" &&
      stage.model.requests.main(stage.lane).length === 0
    )
      throw new CellFailure("blocked", `${error.message}. It asked the scripted model nothing at all`);
    throw error;
  });
  await untilSettled(stage, sent);
  const head = stage.runtime === "tmux" ? `: ${text}` : `[From agent "${stage.peer.name}"]:\n${text}`;
  expectThat(
    shownTexts(request.conversation).join("\n").includes(head),
    "Its model was shown the message, and not who sent it",
  );
  const times = stage.model.requests.timesShown(text, stage.lane);
  expectThat(times === 1, `Its model was shown the message ${times} times`);
}
