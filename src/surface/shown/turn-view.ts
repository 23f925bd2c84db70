import type { TurnView } from "../../contract/http/turns.js";
import type { EventOf } from "../../model/events.js";
import { type LiveTurn, liveStart } from "../../model/live-turn.js";
import type { TurnTool } from "../../model/turn.js";
import { viewTurnUsage } from "../streams/live-frames.js";

/** A turn that has ended, as the journal has it. */
export function viewTurn({ seq, at, data }: EventOf<"TurnEnded">): TurnView {
  const { turn, stop, error, mail = [], text, thoughts = "", tools = [], plan = [], usage, cut, task } = data;
  return {
    turn,
    seq,
    // A turn from before its length was kept.
    started: new Date(at - (data.ms ?? 0)).toISOString(),
    ended: new Date(at).toISOString(),
    stop,
    ...(error === undefined ? {} : { error }),
    messages: [...mail],
    text,
    thoughts,
    tools: tools.map(viewTool),
    plan: [...plan],
    usage: usage === undefined ? null : viewTurnUsage(usage),
    ...(cut === undefined ? {} : { cut }),
    ...(task === undefined ? {} : { task }),
  };
}

/** One that is under way, as far as it has come. */
export function viewOpenTurn(live: LiveTurn): TurnView {
  const view: TurnView = {
    turn: live.turn,
    seq: null,
    started: new Date(live.startedAt).toISOString(),
    ended: null,
    stop: null,
    messages: [...live.messages],
    text: "",
    thoughts: "",
    tools: [],
    plan: [],
    usage: null,
  };
  for (const change of live.since(liveStart, Number.POSITIVE_INFINITY).changes) {
    switch (change.kind) {
      case "text":
      case "thought": {
        const key = change.kind === "text" ? "text" : "thoughts";
        view[key] = change.offset === 0 ? change.text : `…${change.text}`;
        if (change.offset > 0) view.cut = { ...view.cut, [key]: change.offset };
        break;
      }
      case "tool":
        view.tools.push(viewTool(change));
        break;
      case "plan":
        view.plan = [...change.entries];
        break;
      default:
        view.usage = viewTurnUsage(change.usage);
    }
  }
  return view;
}

function viewTool({ title, status, ms, act, offset }: TurnTool): TurnView["tools"][number] {
  return {
    title,
    status,
    ms: ms ?? null,
    ...(act === undefined ? {} : { act }),
    ...(offset === undefined ? {} : { offset }),
  };
}
