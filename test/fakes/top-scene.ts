import pc from "picocolors";
import { type AgentRow, type Need, openTop, type TopState } from "../../src/cli/top/top-state.js";
import { sumTraffic } from "../../src/cli/top/traffic.js";

/* Ten agents at work, as `huddle top` shows them. */

export const NOW = Date.parse("2026-01-31T12:00:00Z");
export const plain = { now: NOW, colors: pc.createColors(false), home: "/home/ann" };
export const coloured = { ...plain, colors: pc.createColors(true) };

const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

export function agentRow(name: string, fields: Partial<AgentRow> = {}): AgentRow {
  return {
    id: `id-${name}`,
    name,
    label: null,
    status: "idle",
    state: "idle",
    since: ago(720),
    evidence: "its turn ended",
    project: "/home/ann/shop",
    team: "main",
    model: null,
    backend: "claude-code",
    lastActive: ago(720),
    unread: 0,
    runtime: "acp",
    ...fields,
  };
}

const on = (text: string) => ({ kind: "turn" as const, text, for: "user", since: ago(190) });

const agents: readonly AgentRow[] = [
  agentRow("api-dev", {
    state: "busy",
    since: ago(190),
    on: on("Add rate limits to the public API"),
    evidence: "its turn runs",
  }),
  agentRow("cart-dev", { state: "waiting", since: ago(41), unread: 2, on: on("Fix the rounding in totals") }),
  agentRow("db-dev", { state: "busy", since: ago(8), backend: "codex", on: on("Migrate orders to UUIDs") }),
  agentRow("docs", { backend: "gemini", project: "/home/ann/docs" }),
  agentRow("infra", { state: "dormant", since: ago(7200), unread: 1 }),
  agentRow("janus-dev", { state: "rate_limited", since: ago(3), until: ago(-4), unread: 3 }),
  agentRow("mobile", { state: "stalled", since: ago(900), backend: "codex" }),
  agentRow("puppet-dev", { state: "busy", since: ago(65), on: on("Write the e2e tests for checkout") }),
  agentRow("review", { state: "listening", since: ago(30) }),
  agentRow("search", { state: "limited", since: ago(1800) }),
];

export function permission(id: string, agent: string, text: string): Need {
  const path = `/api/permissions/${id}`;
  const decide = (action: string, label: string) => ({
    action,
    label,
    command: `huddle approve ${id}`,
    method: "POST" as const,
    path,
  });
  return {
    id,
    kind: "permission",
    agent,
    text,
    at: ago(41),
    expires: ago(-42_000),
    actions: [
      decide("once", "Yes"),
      decide("session", "Yes, for this session"),
      decide("always", "Always"),
      decide("deny", "No"),
    ],
    facts: {
      about: "permission",
      tool: "Bash",
      act: "execute",
      title: text,
      details: {},
      options: [],
      folder: "/home/ann/shop/cart",
      backend: "claude-code",
      runtime: "acp",
      policy: null,
      turn: null,
      turn_for: [],
    },
  };
}

export function question(id: string, agent: string, text: string): Need {
  return {
    id,
    kind: "question",
    agent,
    text,
    at: ago(300),
    expires: null,
    actions: [
      { action: "reply", label: "Answer", command: `huddle reply ${id} TEXT` },
      {
        action: "ack",
        label: "Mark as read",
        command: "huddle inbox --ack",
        method: "POST",
        path: "/api/inbox/ack",
      },
    ],
  };
}

const stalled: Need = {
  id: "id-mobile",
  kind: "stalled",
  agent: "mobile",
  text: "mobile: no output for 15 minutes",
  at: ago(900),
  expires: null,
  actions: [
    {
      action: "kill",
      label: "End it",
      command: "huddle kill mobile",
      method: "POST",
      path: "/api/agents/id-mobile/kill",
    },
  ],
};

const pair = (from: string, to: string, minutes: number[], held = 0) => ({
  from,
  to,
  per_minute: minutes.slice(-5).reduce((sum, count) => sum + count, 0) / 5,
  minutes,
  sent_last_minute: minutes.at(-1) ?? 0,
  cap: 10,
  level: 0,
  next_ms: 0,
  paused: false,
  held,
  held_for: [],
  last: ago(3),
  message: null,
  conversation: null,
});

export function topScene(changes: Partial<TopState> = {}): TopState {
  const state = openTop({
    agents,
    needs: [
      stalled,
      question("01a1e564-14bd-7b71-9353-c29910abec24", "api-dev", "Should /search count towards the limit?"),
      permission(
        "01a1e569-bcd2-7f14-8790-33661c0ffee0",
        "cart-dev",
        "rm -rf build && npm test -- --run totals",
      ),
    ],
    traffic: sumTraffic([
      pair("janus-dev", "puppet-dev", [0, 1, 2, 4, 3, 5, 6, 4, 7, 6], 3),
      pair("puppet-dev", "janus-dev", [0, 0, 1, 3, 3, 4, 5, 4, 5, 5]),
      pair("api-dev", "db-dev", [0, 0, 0, 0, 0, 0, 1, 0, 0, 1]),
    ]),
  });
  const output = {
    about: "id-api-dev",
    text: [
      "── api-dev begins at 11:56:50 UTC, with 1 message ──",
      "I will look at how the router is built before I add anything to it.",
      "▸ Read src/router.ts",
      "✓ Read src/router.ts (12 ms)",
      "The limits belong in front of the handlers, so that a refused call costs nothing. I add a bucket for each token.",
      "▸ Edit src/limits.ts",
      "",
    ].join("\n"),
  };
  return { ...state, link: { kind: "live" }, output, ...changes };
}
