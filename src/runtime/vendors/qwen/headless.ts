import type { HeadlessForm } from "../../headless/headless-form.js";
import { createStreamJsonReader } from "../../headless/stream-json.js";
import { approvalMode } from "../approval-mode.js";

export const headlessForm: HeadlessForm = {
  args: ({ backend, model }, { session, wired }) => [
    "--output-format",
    "stream-json",
    "--include-partial-messages",
    "--approval-mode",
    approvalMode(backend.permissions),
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : ["--resume", session]),
    ...wired,
  ],
  createReader: createStreamJsonReader,
  keepsPrompts: true,
};
