import { CellFailure } from "../cell.js";
import { send, untilMail, untilSettled } from "../mail.js";
import { answerOf, words } from "../script-model.js";
import { type Stage, shows } from "../stage.js";

export async function tool(stage: Stage): Promise<void> {
  const sent = await send(stage, words.tool(stage.agent));
  await untilMail(stage, answerOf(stage.agent), () => expectTools(stage));
  await untilSettled(stage, sent);
}

/** Asked about them, or without them, the turn would come to no answer. */
async function expectTools({ hub, agent, model, lane }: Stage): Promise<void> {
  const { permissions } = await hub.operator().permissions();
  const asked = permissions.find((permission) => permission.agent === agent);
  if (asked !== undefined)
    throw new CellFailure("fails", `It asks whether it may use Huddle's own tool: ${asked.title}`);
  const asking = model.requests.main(lane).filter((request) => shows(request, words.tool(agent)));
  const said = asking.flatMap(({ reply }) => reply.map((part) => ("text" in part ? part.text : "")));
  if (said.some((text) => /no tool "\w+" was offered/.test(text)))
    throw new CellFailure("fails", "Its model was not offered Huddle's tools");
}
