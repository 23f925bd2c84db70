import type { AgentTurnView, TurnHit, TurnView } from "../../contract/http/turns.js";
import { addressNow } from "../../hub/rules/address-of.js";
import type { AgentId } from "../../model/agent.js";
import type { EventOf } from "../../model/events.js";
import { type LiveTurn, liveStart } from "../../model/live-turn.js";
import { prefixOf } from "../../model/search-query.js";
import type { TurnTool } from "../../model/turn.js";
import type { TightViews } from "../../views/tight.js";
import { viewTurnUsage } from "../streams/live-frames.js";

const EXCERPT = 2000;
const BEFORE = 24;

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

/** The same among messages, where it has to say whose it is. */
export function viewAgentTurn(
  views: TightViews,
  event: EventOf<"TurnEnded">,
  reader: AgentId,
): AgentTurnView {
  const id = event.data.agent;
  return { agent: addressNow(views, id, id, reader), id, ...viewTurn(event) };
}

/** What a search shows of it. */
export function viewTurnHit(
  views: TightViews,
  event: EventOf<"TurnEnded">,
  { terms, reader }: { terms: readonly string[]; reader: AgentId },
): TurnHit {
  const { agent, id, turn, seq, started, ended, stop, messages, text, thoughts, tools } = viewAgentTurn(
    views,
    event,
    reader,
  );
  const all = [text, thoughts, tools.map(({ title }) => title).join("\n")]
    .filter((one) => one !== "")
    .join("\n");
  return { agent, id, turn, seq, started, ended, stop, messages, excerpt: excerptOf(all, terms) };
}

/** From a little before the first word that is found. */
function excerptOf(text: string, terms: readonly string[]): string {
  const folded = text.toLowerCase();
  const places = terms
    .map((term) => folded.indexOf((prefixOf(term) ?? term).toLowerCase()))
    .filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - BEFORE);
  const start = places.length === 0 || from === 0 ? 0 : from;
  const end = start + EXCERPT;
  return `${start === 0 ? "" : "…"}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
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
