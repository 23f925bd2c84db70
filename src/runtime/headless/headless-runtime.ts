import { findCommand } from "../process/find-command.js";
import { type Launch, type Runtime, RuntimeError } from "../runtime.js";
import { vendorOf } from "../vendors/vendors.js";
import { createHeadlessAgent } from "./headless-agent.js";
import type { HeadlessForm } from "./headless-form.js";

/** Agents whose CLI is run once per turn: to interrupt is to end it, and the next turn resumes the session. */
export function createHeadlessRuntime(): Runtime {
  return {
    kind: "headless",
    async start(launch, host) {
      const form = formOf(launch);
      const { backend, cwd, env } = launch;
      if (findCommand(backend.command, { path: env["PATH"] ?? "", cwd }) === undefined) {
        const { command, install } = backend;
        throw new RuntimeError("BACKEND_MISSING", `"${command}" is not installed. ${install}`, { command });
      }
      return createHeadlessAgent(launch, host, form);
    },
  };
}

function formOf({ backend }: Launch): HeadlessForm {
  const vendor = vendorOf(backend);
  if (vendor !== undefined) return vendor.headless;
  const { name } = backend;
  throw new RuntimeError(
    "BACKEND_FAILED",
    `The backend ${name} has no headless form: set backends.${name}.like to the CLI that it is like, or another runtime for it.`,
  );
}
