import type { AgentId } from "../model/agent.js";
import { wasCutShort } from "../model/delivery.js";
import type { Message } from "../model/message.js";
import { tagOf } from "../model/message-tag.js";
import type { TurnId } from "../model/turn.js";
import type { FollowedTurn, HostedAgent } from "../runtime/runtime.js";
import type { Delivery } from "../views/delivery-row.js";
import type { TightViews } from "../views/tight.js";
import { GIST_MOST, pointerLine } from "./compose-prompt.js";
import { bodyOf } from "./envelopes.js";

/*
 * The turn that an agent was in when the hub ended under it. One on a screen may have gone on, and is followed to its end.
 * Any other was cut: what it carried waits again, and of that the agent has some in its history.
 */

type LostTurn = {
  id: TurnId;
  messages: { seq: number; message: Message }[];
  /** The agent was only told that there is mail. */
  pointer: boolean;
  /** That it was taken is known already. */
  isTaken: boolean;
  follow: FollowedTurn;
};

/** Undefined when there is none, or nothing on the agent's screen tells what became of it. */
export async function findLostTurn(
  views: TightViews,
  agent: AgentId,
  hosted: HostedAgent,
): Promise<LostTurn | undefined> {
  const open = views.turns.open(agent);
  if (open === undefined) return undefined;
  const messages = open.deliveries.flatMap((seq) => {
    const message = views.messages.bySeq(seq)?.data.message;
    return message === undefined ? [] : [{ seq, message }];
  });
  const newest = messages.at(-1);
  if (newest === undefined) return undefined;
  const tag = tagOf(newest.message);
  const follow = await hosted.regain?.(tag, linesOf(tag, newest.message, messages.length));
  if (follow === undefined) return undefined;
  const isTaken = open.deliveries.some((seq) =>
    views.inbox.get(seq, agent)?.steps.some((step) => step.state === "injected" && step.turn === open.id),
  );
  const line = `${tag}:(amessagewaits|\\d+messageswait)foryou;callcheck_messages`;
  const pointer = new RegExp(line, "u").test(bare(hosted.replayed ?? ""));
  return { id: open.id, messages, pointer, isTaken, follow };
}

/** What may have been typed for a turn of so many messages, of which this is the newest. */
function linesOf(tag: string, newest: Message, count: number): string[] {
  return [`${tag}: ${bodyOf(newest)}`, pointerLine(tag, count)];
}

/** What it was cut at, with the hub or by a pause, and has in its history: it is only told to go on. */
export function rememberedMail(views: TightViews, agent: AgentId, hosted: HostedAgent): number[] {
  if (!hosted.resumed) return [];
  return views.inbox.open(agent).flatMap((delivery) => {
    const message = views.messages.bySeq(delivery.seq)?.data.message;
    return message !== undefined && isRemembered(delivery, message, hosted) ? [delivery.seq] : [];
  });
}

function isRemembered({ steps }: Delivery, message: Message, hosted: HostedAgent): boolean {
  if (!wasCutShort(steps)) return false;
  // What stands on its screen stands in its box: it was typed and never sent.
  if (hosted.unsent?.()?.startsWith(tagOf(message)) === true) return false;
  const { replayed = "", keepsPrompts = false } = hosted;
  const body = bare(bodyOf(message));
  if (body.length >= TELLING && bare(replayed).includes(body)) return true;
  if (replayed.includes(tagOf(message))) return true;
  // Nothing is lost where naming it tells the whole of it.
  const isShort = bodyOf(message).length <= GIST_MOST;
  const wasSeen = steps.some(({ state }) => state === "seen");
  return wasSeen && (isShort || (keepsPrompts && replayed === ""));
}

/** Short words may stand there from before: taken for this message they would lose it, given again they do no harm. */
const TELLING = 40;

/** Vendors keep the words and not always the white space. */
function bare(text: string): string {
  return text.replace(/\s+/gu, "");
}
