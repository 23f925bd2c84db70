import { basename } from "node:path";
import { type Backend, type RuntimeKind, runtimeKinds } from "../backend.js";
import { cliOfBackend } from "../tmux/cli-of.js";
import type { SelftestRecord } from "./known-runtimes.js";

/** Whether a backend can be run in one way here; if not, why, and the command that would help. */
export type RuntimeSurvey = {
  runtime: RuntimeKind;
  works: boolean;
  reason: string | null;
  install: string | null;
  /** Of the version that is here, if it was tried. */
  selftest: SelftestRecord | null;
};

type Here = {
  /** The file of a command, for this backend. */
  find: (command: string) => string | undefined;
  /** Its ACP form ended as it started. */
  isBroken: (program: string) => boolean;
  selftest: (runtime: RuntimeKind, program: string) => SelftestRecord | undefined;
};

export function surveyBackend(backend: Backend, here: Here): RuntimeSurvey[] {
  const looks = { acp: lookForAcp, headless: lookForHeadless, tmux: lookForScreen };
  return runtimeKinds.map((runtime) => {
    const problem = looks[runtime](backend, here);
    const program = here.find((runtime === "acp" ? backend.acp?.[0] : undefined) ?? backend.command);
    return {
      runtime,
      works: problem === undefined,
      reason: problem?.reason ?? null,
      install: problem?.install ?? null,
      selftest: (program === undefined ? undefined : here.selftest(runtime, program)) ?? null,
    };
  });
}

/** A sentence such as "Install it with: npm i -g droid" without its words. */
export function installCommand({ install }: Pick<Backend, "install">): string | null {
  return /^Install it with: (.+)$/.exec(install)?.[1] ?? null;
}

type Problem = { reason: string; install?: string | null };

function lookForAcp(backend: Backend, { find, isBroken }: Here): Problem | undefined {
  const { acp, acpInstall, command } = backend;
  const name = acp?.[0];
  if (name === undefined) return { reason: "It has no ACP form" };
  const program = find(name);
  if (program === undefined) {
    const install = name === command ? installCommand(backend) : (acpInstall ?? null);
    return { reason: `${basename(name)} is not installed`, install };
  }
  return isBroken(program)
    ? { reason: `${basename(name)} ended as it started`, install: acpInstall ?? null }
    : undefined;
}

function lookForHeadless(backend: Backend, here: Here): Problem | undefined {
  if (backend.vendor === undefined) return { reason: "Huddle does not know how it runs without a screen" };
  return lookForCommand(backend, here);
}

function lookForScreen(backend: Backend, here: Here): Problem | undefined {
  if (cliOfBackend(backend) === undefined) return { reason: "Huddle does not know its screen" };
  if (here.find("tmux") === undefined) return { reason: "tmux is not installed" };
  return lookForCommand(backend, here);
}

function lookForCommand(backend: Backend, { find }: Here): Problem | undefined {
  if (find(backend.command) !== undefined) return undefined;
  return { reason: `${basename(backend.command)} is not installed`, install: installCommand(backend) };
}
