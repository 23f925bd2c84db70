import type { PermissionPolicy } from "../../backend.js";
import type { HeadlessForm } from "../../headless/headless-form.js";
import { createStreamJsonReader } from "../../headless/stream-json.js";
import { createStreamJsonTalk } from "../../headless/stream-json-talk.js";
import { serverName } from "../vendor.js";

export const headlessForm: HeadlessForm = {
  args: ({ backend, model }, { session, wired }) => [
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
    "--permission-prompt-tool",
    "stdio",
    // They ask the person more than yes or no, and a turn by itself has them not.
    "--disallowedTools",
    "AskUserQuestion,EnterPlanMode,ExitPlanMode",
    "--permission-mode",
    modes[backend.permissions],
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : ["--resume", session]),
    ...wired,
  ],
  createReader: () => createStreamJsonReader(),
  createTalk: (_, { prompt }) =>
    createStreamJsonTalk({ prompt, acts, ownTools: new RegExp(`^mcp__${serverName}__\\w+$`) }),
  keepsPrompts: true,
};

/** Where it asks, the policy answers. */
const modes: Readonly<Record<PermissionPolicy, string>> = {
  ask: "default",
  "allow-reads": "default",
  deny: "default",
  "allow-all": "bypassPermissions",
};

const acts = {
  Read: "read",
  Glob: "search",
  Grep: "search",
  LS: "search",
  Write: "edit",
  Edit: "edit",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  Bash: "execute",
  WebFetch: "fetch",
  WebSearch: "fetch",
};
