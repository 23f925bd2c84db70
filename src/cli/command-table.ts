import type { DefineCommand } from "./context.js";

type CommandEntry = {
  name: string;
  /** As the list of commands shows it. */
  usage: string;
  summary: string;
  /** Only the command that runs is loaded: the list alone must not cost its imports. */
  load: () => Promise<{ define: DefineCommand }>;
};

export const commandTable: readonly CommandEntry[] = [
  {
    name: "up",
    usage: "",
    summary: "start the hub, unless it runs already",
    load: () => import("./commands/up.js"),
  },
  { name: "down", usage: "[--now]", summary: "stop the hub", load: () => import("./commands/down.js") },
  {
    name: "status",
    usage: "",
    summary: "show the hub and what it holds",
    load: () => import("./commands/status.js"),
  },
  {
    name: "ui",
    usage: "[LINK] [--print]",
    summary: "open the desk in the browser",
    load: () => import("./commands/ui.js"),
  },
  {
    name: "connect",
    usage: "[CLI…] [--undo]",
    summary: "connect the agent CLIs that you run, or take that back",
    load: () => import("./commands/connect.js"),
  },
  {
    name: "init",
    usage: "[CLI…]",
    summary: "the same as connect",
    load: () => import("./commands/connect.js"),
  },
  {
    name: "uninstall",
    usage: "",
    summary: "undo connect, stop the hub, and say what stays",
    load: () => import("./commands/uninstall.js"),
  },
  {
    name: "doctor",
    usage: "[--fix]",
    summary: "find what is wrong with this set-up, and how to fix it",
    load: () => import("./commands/doctor.js"),
  },
  {
    name: "agents",
    usage: "[--team T]",
    summary: "list the agents and what they are doing",
    load: () => import("./commands/agents.js"),
  },
  {
    name: "backends",
    usage: "",
    summary: "list what agents can run on here, and what is missing",
    load: () => import("./commands/backends.js"),
  },
  {
    name: "spawn",
    usage: "BACKEND [--name N]",
    summary: "start an agent that the hub runs",
    load: () => import("./commands/spawn.js"),
  },
  {
    name: "adopt",
    usage: "TARGET [--name N]|--all",
    summary: "manage an agent that runs in a tmux pane of yours",
    load: () => import("./commands/adopt.js"),
  },
  {
    name: "attach",
    usage: "AGENT [--print]",
    summary: "see an agent's own screen, in its tmux pane",
    load: () => import("./commands/attach.js"),
  },
  {
    name: "shutdown",
    usage: "AGENT",
    summary: "let an agent finish its turn and end",
    load: () => import("./commands/shutdown.js"),
  },
  {
    name: "stop",
    usage: "AGENT",
    summary: "the same as shutdown",
    load: () => import("./commands/shutdown.js"),
  },
  {
    name: "kill",
    usage: "AGENT",
    summary: "end an agent that the hub runs, at once",
    load: () => import("./commands/kill.js"),
  },
  {
    name: "pause",
    usage: "AGENT|--all [--now]",
    summary: "let an agent, or all of them, stand still",
    load: () => import("./commands/pause.js"),
  },
  {
    name: "resume",
    usage: "AGENT|--all",
    summary: "let an agent, or all of them, go on",
    load: () => import("./commands/resume.js"),
  },
  {
    name: "usage",
    usage: "[--by task|workflow|day]",
    summary: "show tokens and costs of agents, tasks, workflows, days",
    load: () => import("./commands/usage.js"),
  },
  {
    name: "budget",
    usage: "continue|stop NAME",
    summary: "decide what becomes of one whose budget is used up",
    load: () => import("./commands/budget.js"),
  },
  {
    name: "approve",
    usage: "ID [once|session|always]",
    summary: "approve a permission request",
    load: () => import("./commands/approve.js"),
  },
  {
    name: "deny",
    usage: "ID",
    summary: "deny a permission request",
    load: () => import("./commands/deny.js"),
  },
  {
    name: "send",
    usage: "TO [TEXT|-]",
    summary: "send a message; the text may come from a pipe",
    load: () => import("./commands/send.js"),
  },
  {
    name: "broadcast",
    usage: "TEXT [--team T|--all]",
    summary: "send a message to many agents",
    load: () => import("./commands/broadcast.js"),
  },
  {
    name: "network",
    usage: "[-w] | pause|resume|reset FROM TO",
    summary: "show who writes to whom, how fast, and what is held back",
    load: () => import("./commands/network.js"),
  },
  {
    name: "peers",
    usage: "[list|invite|join LINE|add NAME HOST|rm NAME|ping NAME]",
    summary: "link this hub to others, and see whether they are reached",
    load: () => import("./commands/peers.js"),
  },
  {
    name: "conversations",
    usage: "[continue|freeze ID]",
    summary: "list paused conversations; continue or freeze one",
    load: () => import("./commands/conversations.js"),
  },
  {
    name: "requests",
    usage: "[post|claim|done|nudge]",
    summary: "list requests for help; post, claim or answer one",
    load: () => import("./commands/requests.js"),
  },
  {
    name: "obligations",
    usage: "[AGENT]",
    summary: "who owes what to whom",
    load: () => import("./commands/obligations.js"),
  },
  {
    name: "claims",
    usage: "[claim|release TASK]",
    summary: "list claimed tasks; claim or release one",
    load: () => import("./commands/claims.js"),
  },
  {
    name: "handoff",
    usage: "FROM TO --task TASK",
    summary: "hand an agent's work over to another",
    load: () => import("./commands/handoff.js"),
  },
  {
    name: "memory",
    usage: "[list|show|share]",
    summary: "list, read and write what agents share by name",
    load: () => import("./commands/memory.js"),
  },
  {
    name: "task",
    usage: "[assign|show|list|cancel]",
    summary: "assign tasks to agents, and read their results",
    load: () => import("./commands/task.js"),
  },
  {
    name: "worktree",
    usage: "[list|diff|merge|rm]",
    summary: "look at, merge and remove the git worktrees of agents",
    load: () => import("./commands/worktree.js"),
  },
  {
    name: "checks",
    usage: "[list|allow|forget NAME]",
    summary: "see and change where checks may run without asking you",
    load: () => import("./commands/checks.js"),
  },
  {
    name: "workflow",
    usage: "[run FILE|list|show|watch|cancel|retry|approve|reject]",
    summary: "run workflows from definition files, and follow them",
    load: () => import("./commands/workflow.js"),
  },
  {
    name: "inbox",
    usage: "[--wait 60] [--ack]",
    summary: "show what waits for you, and read your unread messages",
    load: () => import("./commands/inbox.js"),
  },
  {
    name: "tail",
    usage: "[AGENT] [--since 10m]",
    summary: "follow messages and agents as they come and go",
    load: () => import("./commands/tail.js"),
  },
  {
    name: "log",
    usage: "QUERY",
    summary: "search the messages",
    load: () => import("./commands/log.js"),
  },
  {
    name: "export",
    usage: "--format jsonl|md [--since 10m]",
    summary: "export the messages",
    load: () => import("./commands/export.js"),
  },
  {
    name: "backup",
    usage: "FILE",
    summary: "copy the database while the hub works",
    load: () => import("./commands/backup.js"),
  },
  {
    name: "prune",
    usage: "--before 90d",
    summary: "delete old messages that have ended",
    load: () => import("./commands/prune.js"),
  },
  {
    name: "mcp",
    usage: "[--name N] [--tools T]",
    summary: "run the MCP server for an agent CLI, over stdin and stdout",
    load: () => import("./commands/mcp.js"),
  },
  {
    name: "hook",
    usage: "[--wake] [--print-settings]",
    summary: "hand mail to a Claude Code session that you started",
    load: () => import("./commands/hook.js"),
  },
  {
    name: "identity",
    usage: "NAME [--role orchestrator]",
    summary: "register an agent and write its identity file",
    load: () => import("./commands/identity.js"),
  },
  {
    name: "config",
    usage: "[path|show|check]",
    summary: "show or check the configuration",
    load: () => import("./commands/config.js"),
  },
  {
    name: "secret",
    usage: "[list|set|rm NAME]",
    summary: "store the secrets that huddle.yaml refers to",
    load: () => import("./commands/secret.js"),
  },
  {
    name: "rebuild",
    usage: "",
    summary: "rebuild the views from the journal",
    load: () => import("./commands/rebuild.js"),
  },
  { name: "version", usage: "", summary: "print the version", load: () => import("./commands/version.js") },
];
