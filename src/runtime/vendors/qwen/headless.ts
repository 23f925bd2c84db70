import type { HeadlessForm } from "../../headless/headless-form.js";
import { createStreamJsonReader } from "../../headless/stream-json.js";
import { createStreamJsonTalk } from "../../headless/stream-json-talk.js";
import { approvalMode } from "../approval-mode.js";
import { serverName } from "../vendor.js";

export const headlessForm: HeadlessForm = {
  args: ({ backend, model }, { session, wired }) => [
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--include-partial-messages",
    "--exclude-tools",
    "ask_user_question",
    "--approval-mode",
    // Where it asks, the policy answers.
    approvalMode(backend.permissions === "deny" ? "ask" : backend.permissions),
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : ["--resume", session]),
    ...wired,
  ],
  createReader: () => createStreamJsonReader("of the session"),
  keepsPrompts: true,
  createTalk: (_, { prompt }) =>
    createStreamJsonTalk({
      prompt,
      first: ["initialize"],
      tokens: "of the session",
      acts,
      ownTools: new RegExp(`^mcp__${serverName}__\\w+$`),
    }),
};

const acts = {
  read_file: "read",
  list_directory: "search",
  glob: "search",
  grep_search: "search",
  write_file: "edit",
  edit: "edit",
  notebook_edit: "edit",
  run_shell_command: "execute",
  web_fetch: "fetch",
};
