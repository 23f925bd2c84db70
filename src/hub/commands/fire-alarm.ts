import { nameIn } from "../../model/address.js";
import { assertNever } from "../../model/assert-never.js";
import { decided } from "../../model/decision.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import type { Alarm } from "../../views/alarms.js";
import type { HubContext, HubDecider } from "../context.js";
import { expireMessage } from "../rules/expire-message.js";
import { expirePermission } from "../rules/expire-permission.js";
import { expireRequest } from "../rules/expire-request.js";
import { expireTask } from "../rules/expire-task.js";
import { isPairPaused } from "../rules/kept-back.js";
import { nudgeUnclaimed } from "../rules/nudge.js";
import { releaseHeld } from "../rules/release-held.js";
import { expireClaim } from "../rules/release-work.js";

/** An alarm says only when to look: what to do is decided now. */
export const fireAlarm: HubDecider<Alarm, void> = (alarm, context) => {
  if (!context.views.alarms.has(alarm) || alarm.due > context.now) return decided([], undefined);
  return decided([newEvent("AlarmFired", null, { ...alarm }), ...consequences(alarm, context)], undefined);
};

function consequences(alarm: Alarm, context: HubContext): NewEvent[] {
  switch (alarm.kind) {
    case "expire_message":
      return expireMessage(context, Number(alarm.ref));
    case "release_message":
      return releaseMessage(Number(alarm.ref), context);
    case "release_name":
      return releaseName(alarm.ref, context);
    case "nudge_request":
      return nudgeUnclaimed(context, alarm.ref);
    case "expire_request":
      return expireRequest(context, alarm.ref);
    case "expire_claim":
      return expireClaim(context, alarm.ref);
    case "expire_permission":
      return expirePermission(context, alarm.ref);
    case "expire_task":
      return expireTask(context, alarm);
    case "send_callback":
      return []; // Whoever makes the call hears the alarm itself.
    default:
      return assertNever(alarm.kind);
  }
}

/** Ends the cooldown of those deliveries of a message whose time has come. */
function releaseMessage(seq: number, context: HubContext): NewEvent[] {
  const { views, now } = context;
  const due = (views.messages.bySeq(seq)?.data.message.to ?? [])
    .filter(({ hold }) => hold?.until !== undefined && hold.until <= now)
    .flatMap(({ agent }) => views.inbox.get(seq, agent) ?? [])
    .filter(({ state, hold }) => state === "held" && hold === "cooldown")
    .filter((delivery) => !isPairPaused(delivery, context));
  return releaseHeld(views, due);
}

/** A name may have been taken back and given up again since: only its newest grace counts. */
function releaseName(ref: string, { views: { roster }, now }: HubContext): NewEvent[] {
  const name = nameIn(ref);
  // An alarm from before names were per team has no team.
  const teams = ref === name ? roster.teamsOf(name) : [ref.slice(0, ref.indexOf("/"))];
  return teams
    .flatMap((team) => roster.heldName(name, team) ?? [])
    .filter(({ until }) => until <= now)
    .map(({ agent, team }) => newEvent("NameReleased", null, { name, team, agent }));
}
