import { decided } from "../../model/decision.js";
import { newEvent } from "../../model/events.js";
import type { HubDecider } from "../context.js";
import { expireMessage } from "../rules/expire-message.js";
import { stopNotices } from "../rules/stop-notices.js";

/** What was said of a stop is not for the next life of the hub. */
export const withdrawStopNotice: HubDecider<Record<string, never>, void> = (_, context) =>
  decided(
    stopNotices(context.views, context.now).flatMap((alarm) => [
      newEvent("AlarmFired", null, { ...alarm }),
      ...expireMessage(context, Number(alarm.ref)),
    ]),
    undefined,
  );
