import { askForMail } from "../bridge/ask-for-mail.js";
import type { HookMoment } from "../model/hook.js";
import type { HookContext } from "./hook-context.js";
import type { HookEvent } from "./hook-event.js";
import { writeAll } from "./stdio.js";

/** The hook that runs at each event: asks for mail, and hands it to the program in the form that the event has for it. */
export async function handOver(event: HookEvent, { identity, handovers, say }: HookContext, untilMs: number) {
  const me = identity();
  if (me === undefined) return say("no bridge of this session has an identity, or no hub runs");
  const proven = handovers.provenBy(event, performance.timeOrigin);
  const acks = proven.map(({ ack }) => ack);
  const isStop = event.name === "Stop";
  const mail = await askForMail(
    me,
    {
      moment: momentOf(event),
      seen: [...acks, ...(event.toolAck === undefined ? [] : [event.toolAck])].slice(0, 100),
      ...(event.stopHookActive ? { new_only: true } : {}),
      ...(event.after === undefined ? {} : { after: event.after }),
    },
    Math.max(1, untilMs - performance.now()),
  );
  if (mail === undefined) return say("the hub refused");
  handovers.forget(proven);
  if (mail.text === null) return say("no mail");
  writeAll(JSON.stringify(isStop ? block(mail.text) : addContext(event, mail.text)), 1);
  if (mail.ack !== "") {
    const { ack, marker } = mail;
    handovers.record({ session: event.session, by: event.name, ack, marker });
  }
}

function momentOf({ name, after }: HookEvent): HookMoment {
  if (name === "Stop") return "stop";
  return name === "SessionStart" && after !== "compact" ? "start" : "context";
}

function block(reason: string) {
  return { decision: "block", reason };
}

function addContext({ name }: HookEvent, additionalContext: string) {
  return { hookSpecificOutput: { hookEventName: name, additionalContext } };
}
