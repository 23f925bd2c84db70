import type { PermissionPolicy } from "../../backend.js";
import type { HeadlessForm } from "../../headless/headless-form.js";
import { createStreamJsonReader } from "../../headless/stream-json.js";

export const headlessForm: HeadlessForm = {
  args: ({ backend, model }, { session, wired }) => [
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    "--include-partial-messages",
    "--permission-mode",
    modes[backend.permissions],
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : ["--resume", session]),
    ...wired,
  ],
  createReader: createStreamJsonReader,
  keepsPrompts: true,
};

const modes: Readonly<Record<PermissionPolicy, string>> = {
  ask: "default",
  "allow-reads": "default",
  deny: "dontAsk",
  "allow-all": "bypassPermissions",
};
