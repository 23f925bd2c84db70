import { approvalMode } from "../../backends/gemini.js";
import type { HeadlessForm } from "../headless-form.js";
import { createStreamJsonReader } from "./stream-json.js";

export const qwen: HeadlessForm = {
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
};
