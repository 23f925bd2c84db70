import type { AgentList, NeedsYou } from "../../client/hub-client.js";
import { isLongGone } from "../agent-state.js";
import type { Traffic } from "./traffic.js";

export type AgentRow = AgentList["agents"][number];
export type Need = NeedsYou["items"][number];
export type NeedAction = Need["actions"][number];

/**
 * `open` as long as the hub has it, `working` while an answer is on its way, `settled` once the hub has it no more. A settled
 * one stays only while it is chosen: nothing else may slide under the person's finger.
 */
export type ShownNeed = { need: Need; state: "open" | "working" | "settled" };

/** What keys do now: `list` moves and acts, the others read text or one answer. */
export type Mode =
  | { kind: "list" }
  | { kind: "help" }
  | { kind: "filter"; before: string }
  | { kind: "reply"; need: Need; text: string }
  | { kind: "confirm"; need: Need; action: NeedAction };

type Notice = { tone: "good" | "bad" | "plain"; text: string };

/** Everything that a frame is made of, besides the time and the size of the terminal. */
export type TopState = {
  link: { kind: "connecting" } | { kind: "live" } | { kind: "away"; since: number };
  agents: readonly AgentRow[];
  traffic: Traffic;
  needs: readonly ShownNeed[];
  /** Where the keys go. */
  place: "agents" | "needs";
  /** `details`: what is chosen has the whole screen. */
  view: "overview" | "details";
  /** What is chosen, by id: a row that moves takes the choice along. */
  agent: string | undefined;
  need: string | undefined;
  filter: string;
  mode: Mode;
  /** Answers that were begun, by the need. */
  drafts: Readonly<Record<string, string>>;
  /** Lines that were scrolled: of a need down from its beginning, of an agent's output up from its end. */
  scroll: number;
  /** What the chosen agent says and does, with our own colours; `about` is its id. */
  output: { about: string | undefined; text: string };
  notice: Notice | undefined;
};

export function openTop(given: Pick<TopState, "agents" | "traffic"> & { needs: readonly Need[] }): TopState {
  return {
    link: { kind: "connecting" },
    agents: given.agents,
    traffic: given.traffic,
    needs: given.needs.map((need) => ({ need, state: "open" })),
    place: "agents",
    view: "overview",
    agent: given.agents[0]?.id,
    need: undefined,
    filter: "",
    mode: { kind: "list" },
    drafts: {},
    scroll: 0,
    output: { about: undefined, text: "" },
    notice: undefined,
  };
}

/** The rows of the table: without those that are long gone, and as the filter wants. */
export function shownAgents({ agents, filter }: TopState, now: number): AgentRow[] {
  const wanted = filter.trim().toLowerCase();
  return agents.filter(
    (agent) => !isLongGone(agent, now) && (wanted === "" || wordsOf(agent).toLowerCase().includes(wanted)),
  );
}

function wordsOf({ name, label, state, team, project, backend, on }: AgentRow): string {
  return [name, label, state, team, project, backend, on?.text].filter(Boolean).join(" ");
}

export function chosenAgent({ agents, agent }: TopState): AgentRow | undefined {
  return agents.find(({ id }) => id === agent);
}

export function chosenNeed({ needs, need }: TopState): ShownNeed | undefined {
  return needs.find((one) => one.need.id === need);
}

/** The roster anew. Whoever is chosen and left is given up for the first. */
export function takeAgents(state: TopState, agents: readonly AgentRow[]): TopState {
  const isHere = agents.some(({ id }) => id === state.agent);
  return { ...state, agents, agent: isHere ? state.agent : agents[0]?.id };
}

/** What waits, anew: the chosen one stays in its place even if it waits no more. */
export function takeNeeds(state: TopState, items: readonly Need[]): TopState {
  const before = new Map(state.needs.map((one) => [one.need.id, one]));
  const next: ShownNeed[] = items.map((need) => ({
    need,
    state: before.get(need.id)?.state === "working" ? "working" : "open",
  }));
  const at = state.needs.findIndex(({ need }) => need.id === state.need);
  const chosen = state.needs[at];
  const isGone = chosen !== undefined && !items.some(({ id }) => id === chosen.need.id);
  if (isGone) next.splice(Math.min(at, next.length), 0, { need: chosen.need, state: "settled" });
  return { ...state, needs: next };
}

export function markNeed(state: TopState, id: string, mark: ShownNeed["state"]): TopState {
  return {
    ...state,
    needs: state.needs.map((one) =>
      one.need.id === id && one.state !== "settled" ? { ...one, state: mark } : one,
    ),
  };
}
