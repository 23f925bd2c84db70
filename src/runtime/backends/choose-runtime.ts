import { basename } from "node:path";
import type { Backend, RuntimeKind } from "../backend.js";
import type { Environment } from "../process/environment.js";
import { findCommand } from "../process/find-command.js";
import { RuntimeError } from "../runtime.js";
import type { BrokenPrograms } from "./broken-programs.js";

/*
 * How an agent is run when nobody says: over ACP, where the hub is told its turns, permissions and output; else in a pane,
 * where they are read from its screen; else headless, where not every CLI can ask. What is not installed is passed over, and so is an ACP adapter that ended as it started, until another version of it is installed or
 * somebody asks for it and it starts.
 */

export type RuntimeChoice = {
  runtime: RuntimeKind;
  /** Why this one, in few words. */
  reason: string;
  /** The hub chose it, so it may choose another when this does not start. */
  chosen?: true;
  /** Why it is not the better one, and what would bring that about. */
  hint?: string;
};

export type ChooseRuntime = {
  /** What is asked for is never replaced; that it is not installed is said before anybody is registered. */
  choose(backend: Backend, asked?: RuntimeKind): RuntimeChoice;
  /** One of its agents ended as it started: what is to be tried instead, if anything is. */
  failed(backend: Backend, runtime: RuntimeKind): RuntimeChoice | undefined;
  /** One of its agents started: whatever kept it from that is over. */
  started(backend: Backend, runtime: RuntimeKind): void;
};

type Found = {
  environment: (backend: Backend) => Environment;
  hasScreen: (backend: Backend) => boolean;
  broken: BrokenPrograms;
};

export function createChooseRuntime({ environment, hasScreen, broken }: Found): ChooseRuntime {
  function programOf(backend: Backend, runtime: RuntimeKind): string | undefined {
    const command = commandOf(backend, runtime);
    return command && findCommand(command, { path: environment(backend)["PATH"] ?? "", cwd: "/" });
  }

  function worksOverAcp(backend: Backend): boolean {
    const program = programOf(backend, "acp");
    return program !== undefined && !broken.has(useOf(backend), program);
  }

  function choose(backend: Backend, asked?: RuntimeKind): RuntimeChoice {
    if (asked !== undefined) {
      const command = commandOf(backend, asked);
      // A path may be meant from the project's folder: that is seen when it is started.
      const isName = command !== undefined && !command.includes("/");
      // A backend that has no such form is told so when it is started, with the setting that would give it one.
      if (asked !== "acp" && backend.vendor === undefined) return { runtime: asked, reason: "asked for" };
      if (isName && programOf(backend, asked) === undefined) throw missing(command, backend);
      return { runtime: asked, reason: "asked for" };
    }
    if (backend.isRuntimeSet) return { runtime: backend.runtime, reason: "set in huddle.yaml" };
    if (worksOverAcp(backend)) return { runtime: "acp", reason: "preferred", chosen: true };
    const adapter = programOf(backend, "acp");
    const why = whyNotAcp(backend, adapter);
    const hint = hintOf(backend, adapter);
    if (programOf(backend, "tmux") !== undefined) {
      if (hasScreen(backend)) return { runtime: "tmux", reason: why, chosen: true, ...hint };
      if (backend.vendor !== undefined)
        return { runtime: "headless", reason: `${why}, and no tmux`, chosen: true, ...hint };
    }
    if (programOf(backend, backend.runtime) !== undefined)
      return { runtime: backend.runtime, reason: "nothing else is here", chosen: true };
    throw missing(backend.command, backend);
  }

  return {
    choose,
    failed(backend, runtime) {
      // A CLI that ends in its pane has its reasons on its screen; without one it would not start any better.
      const program = runtime === "acp" ? programOf(backend, "acp") : undefined;
      if (program === undefined) return undefined;
      broken.add(useOf(backend), program);
      if (backend.isRuntimeSet || programOf(backend, "tmux") === undefined) return undefined;
      const next = choose(backend);
      return next.runtime === "acp" ? undefined : next;
    },
    started(backend, runtime) {
      if (runtime === "acp") broken.remove(useOf(backend));
    },
  };
}

function commandOf({ acp, command }: Backend, runtime: RuntimeKind): string | undefined {
  return runtime === "acp" ? acp?.[0] : command;
}

function missing(command: string, { command: cli, install, acpInstall }: Backend): RuntimeError {
  const how = command === cli || acpInstall === undefined ? install : `Install it with: ${acpInstall}`;
  return new RuntimeError("BACKEND_MISSING", `${command} is not installed. ${how}`, { command });
}

function useOf({ name }: Backend): string {
  return `${name} acp`;
}

function whyNotAcp({ acp }: Backend, program: string | undefined): string {
  if (acp?.[0] === undefined) return "it has no ACP form";
  return `${basename(acp[0])} ${program === undefined ? "is not installed" : "ended as it started"}`;
}

function hintOf({ acp, acpInstall }: Backend, program: string | undefined): { hint?: string } {
  if (acp === undefined) return {};
  if (program !== undefined)
    return {
      hint: `${acp[0]} ended as it started; with one that starts Huddle need not read its screen.`,
    };
  return acpInstall === undefined
    ? {}
    : {
        hint: `With ${acpInstall} Huddle need not read its screen: every permission, also of a newer version, can be answered from here.`,
      };
}
