import type { PermissionPolicy, RuntimeKind } from "../../model/hosting.js";
import type { ToolsetName } from "../../model/toolset.js";

/* What each choice means, in a sentence. */

export const runtimeWords: { readonly [R in RuntimeKind]: string } = {
  acp: "One process, streamed, can be interrupted.",
  headless: "A process for each turn. Some CLIs cannot ask you this way; then they are refused.",
  tmux: "In a tmux pane that you can attach to and type into.",
};

export const policyWords: { readonly [P in PermissionPolicy]: { does: string; foot: string } } = {
  ask: {
    does: "Asks you before it reads, edits or runs anything that its CLI asks about.",
    foot: "Asks you before it edits or runs anything.",
  },
  "allow-reads": {
    does: "Reads and searches freely. Asks you before it edits or runs anything.",
    foot: "Asks you before it edits or runs anything.",
  },
  "allow-all": {
    does: "Edits and runs anything without asking you.",
    foot: "Edits and runs anything without asking you.",
  },
  deny: {
    does: "Whatever it asks for is denied, and you are not asked.",
    foot: "Whatever it asks for is denied.",
  },
};

export const toolsetWords: { readonly [T in ToolsetName]: string } = {
  huddle: "all of Huddle’s tools: mail, requests, claims, spawning",
  agent: "mail, requests and claims",
  orchestrator: "tasks and workflows, for one that leads others",
  tabs: "the words of tabs: send_to_agent, spawn_agent",
  sessions: "the words of sessions: send_agent_message",
};
