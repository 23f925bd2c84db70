import type { HubLimits } from "../hub/context.js";
import type { JournalLimits } from "../journal/journal.js";
import { parseDuration } from "../model/duration.js";
import type { Budget } from "../model/usage.js";
import type { SurfaceLimits } from "../surface/ports.js";
import { NO_AGENT } from "./config-comms.js";
import type { HubConfig } from "./config-schema.js";

/** Which key of the configuration binds what. */
export function hubLimits(config: HubConfig): HubLimits {
  const {
    inbox,
    agents,
    cooldown,
    conversation,
    broadcast,
    requests,
    work,
    memory,
    tasks,
    worktree,
    workflows,
    budgets,
    hosting,
    "agent-comms": comms,
  } = config;
  return {
    cooldown: {
      quickMs: cooldown.quick,
      delaysMs: cooldown.delays.map((delay) => parseDuration(delay) ?? 0),
      resetMs: cooldown.reset,
      cap: cooldown.cap,
      mode: cooldown.mode,
    },
    conversation: {
      hops: conversation.hops,
      messages: conversation.messages,
      causeMs: conversation.cause,
      unattended: conversation.unattended,
    },
    peerMail: {
      interrupt: comms.interrupt,
      share: comms.inbox_share,
      ...(comms.agent === NO_AGENT ? {} : { agent: comms.agent }),
    },
    broadcast,
    depth: agents.depth,
    children: agents.children,
    inboxCap: inbox.cap,
    inboxRoom: inbox.room,
    renameGraceMs: agents.rename_grace,
    reofferAfterMs: inbox.reoffer_after,
    readMessages: inbox.read_messages,
    readBytes: inbox.read_bytes,
    requestDefaultMs: requests.default,
    requestMaxMs: requests.max,
    requestOpenCap: requests.open_cap,
    requestAgentCap: requests.agent_cap,
    requestPace: requests.pace,
    requestNudgeCap: requests.nudge_cap,
    workLeaseMs: work.lease,
    workLeaseMaxMs: work.lease_max,
    workCap: work.cap,
    workAgentCap: work.agent_cap,
    memoryBytes: memory.cap,
    memoryAgentBytes: memory.agent_cap,
    memoryVersions: memory.versions,
    taskMs: tasks.within,
    taskOpenCap: tasks.open_cap,
    taskAgentCap: tasks.agent_cap,
    worktreeCap: worktree.cap,
    checks: Object.keys(config.checks),
    workflowOpenCap: workflows.open_cap,
    workflowAgentCap: workflows.agent_cap,
    agentBudget: { ...limited("usd", budgets.agent_usd), ...limited("tokens", budgets.agent_tokens) },
    workflowBudget: limited("usd", budgets.workflow_usd),
    hosted: hosting.agents,
    hostedReserve: hosting.reserve,
    permissionMs: hosting.permission_within,
    handoffAt: hosting.handoff_at / 100,
    fyiMessages: hosting.fyi_messages,
    fyiBytes: hosting.fyi_bytes,
  };
}

/** 0 sets none. */
function limited(what: "usd" | "tokens", most: number): Budget {
  return most === 0 ? {} : { [what]: most };
}

export function journalLimits({ journal }: HubConfig): JournalLimits {
  return {
    batch: { commands: journal.batch_commands, milliseconds: journal.batch_time },
    wal: { soft: journal.wal_soft, cap: journal.wal_cap, retryMs: 1000 },
    reserve: journal.reserve,
  };
}

export function surfaceLimits({
  http,
  inbox,
  events,
  desk,
  search,
  presence,
  broadcast,
  attention,
  cooldown,
  requests,
  work,
  workflows,
  conversation,
}: HubConfig): SurfaceLimits {
  return {
    bodyBytes: http.body_limit,
    jsonDepth: http.json_depth,
    jsonKeys: http.json_keys,
    waitMaxMs: inbox.wait_max,
    waits: { total: inbox.readers, each: inbox.agent_readers },
    streams: { total: events.readers, each: events.agent_readers },
    searches: { total: search.readers, each: search.agent_readers },
    readerBufferBytes: events.buffer,
    readerStallMs: events.stall,
    readerLingerMs: events.linger,
    pingEveryMs: events.ping_every,
    socketInFlight: events.in_flight,
    ticketLifeMs: events.ticket_life,
    deskCodeLifeMs: desk.code_life,
    deskTokenLifeMs: desk.token_life,
    requestDefaultMs: requests.default,
    workLeaseMs: work.lease,
    reofferAfterMs: inbox.reoffer_after,
    showDeadMs: presence.show_dead,
    broadcast,
    httpAttention: attention.http,
    cooldown: { resetMs: cooldown.reset, cap: cooldown.cap },
    workflowSteps: workflows.steps,
    conversation: {
      hops: conversation.hops,
      messages: conversation.messages,
      unattended: conversation.unattended,
    },
  };
}
