import type { Obligations } from "../hub/rules/obligations.js";
import type { AgentId } from "../model/agent.js";
import type { Message } from "../model/message.js";
import type { HostedAgent, Launch } from "../runtime/runtime.js";
import type { TightViews } from "../views/tight.js";
import type { PromptReminder } from "./compose-prompt.js";
import { composeReminder, REMINDED_MOST } from "./compose-reminder.js";

/*
 * The note with which the first prompt begins that an agent takes after its process was started again. It is due until a
 * prompt that holds it was taken, and once more if that prompt is not in the agent's history.
 */
type Reminder = {
  /** Its process is there; `again`: what it was started from, when that was not for the first time. */
  started(hosted: Pick<HostedAgent, "resumed">, again: Launch | undefined): void;
  isDue(): boolean;
  /** For a prompt that carries these, by their seqs, and tells of those. */
  compose(carried: readonly number[], interrupted: readonly Message[]): Promise<PromptReminder>;
  taken(): void;
  /** The prompt that held it is gone from the agent's history. */
  forgotten(): void;
};

type ReminderPorts = { agent: AgentId; views: TightViews; obligations: Obligations };

export function createReminder({ agent, views, obligations }: ReminderPorts): Reminder {
  let due: "back" | "lost" | undefined;
  let given: typeof due;
  return {
    started({ resumed }, again) {
      given = undefined;
      // A pane that the person started went on without the hub.
      if (again === undefined || again.adopt !== undefined) due = undefined;
      else due = again.resume !== undefined && !resumed ? "lost" : "back";
    },
    isDue: () => due !== undefined,
    async compose(carried, interrupted) {
      await obligations.caughtUp();
      const told = interrupted.flatMap(({ id }) => views.messages.byId(id).map(({ seq }) => seq));
      const owed = obligations.remaining(agent, [...carried, ...told], REMINDED_MOST);
      given = due;
      return {
        text: composeReminder(views, agent, owed, due ?? "back"),
        anew: composeReminder(views, agent, owed, "lost"),
        count: owed.lines.length + owed.more,
      };
    },
    taken() {
      due = undefined;
    },
    forgotten() {
      due ??= given;
    },
  };
}
