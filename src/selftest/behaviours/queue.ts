import { send, untilSettled } from "../mail.js";
import { gateOf, words } from "../script-model.js";
import { shownTexts } from "../scripted-model/conversation.js";
import { expectThat, type Stage, untilShown } from "../stage.js";

export async function queue(stage: Stage): Promise<void> {
  const { agent, model, lane } = stage;
  const things = words.queue(agent);
  const [zeroth = "", ...others] = things;
  const last = others.at(-1) ?? "";
  try {
    await send(stage, zeroth);
    await untilShown(stage, zeroth);
    let sent = await send(stage, others[0] ?? "");
    for (const thing of others.slice(1)) sent = await send(stage, thing);
    model.release(gateOf(agent));
    const turn = await untilShown(stage, last);
    const shown = shownTexts(turn.conversation).join("\n");
    const places = things.map((thing) => shown.lastIndexOf(thing));
    const inOrder = places.every((place, i) => place >= 0 && (i === 0 || place > (places[i - 1] ?? -1)));
    expectThat(inOrder, `Its model was shown the messages in another order: ${places.join(", ")}`);
    for (const thing of others) {
      const times = model.requests.timesShown(thing, lane);
      expectThat(times === 1, `Its model was shown "${thing}" ${times} times`);
    }
    await untilSettled(stage, sent);
  } finally {
    model.release(gateOf(agent));
  }
}
