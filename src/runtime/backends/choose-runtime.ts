import { basename } from "node:path";
import type { Backend, RuntimeKind } from "../backend.js";
import type { Environment } from "../process/environment.js";
import { findCommand } from "../process/find-command.js";
import { RuntimeError } from "../runtime.js";
import type { KnownRuntimes } from "./known-runtimes.js";

/*
 * How an agent is run when nobody says: over ACP, where the hub is told its turns, permissions and output; else in a pane,
 * where they are read from its screen; else headless, where not every CLI can ask. What is not installed is passed over, and so are an ACP
 * adapter that ended as it started, until another version of it is installed or somebody asks for it and it starts, and what failed its
 * self-test in this version, as long as something else is there.
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
  known: KnownRuntimes;
};

export function createChooseRuntime({ environment, hasScreen, known }: Found): ChooseRuntime {
  function programOf(backend: Backend, runtime: RuntimeKind): string | undefined {
    const command = commandOf(backend, runtime);
    return command && findCommand(command, { path: environment(backend)["PATH"] ?? "", cwd: "/" });
  }

  function isBroken(backend: Backend): boolean {
    const program = programOf(backend, "acp");
    return program !== undefined && known.isBroken({ backend: backend.name, runtime: "acp", program });
  }

  /** Which behaviours failed in its self-test. */
  function failsOf(backend: Backend, runtime: RuntimeKind): readonly string[] {
    const program = programOf(backend, runtime);
    if (program === undefined) return [];
    return known.selftest({ backend: backend.name, runtime, program })?.fails ?? [];
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
    const best = pick(backend, (runtime) => failsOf(backend, runtime).length === 0);
    if (best !== undefined) return best;
    const any = pick(backend, () => true);
    if (any !== undefined) return { ...any, reason: "every way failed the self-test" };
    if (programOf(backend, backend.runtime) !== undefined)
      return { runtime: backend.runtime, reason: "nothing else is here", chosen: true };
    throw missing(backend.command, backend);
  }

  function pick(backend: Backend, passes: (runtime: RuntimeKind) => boolean): RuntimeChoice | undefined {
    const adapter = programOf(backend, "acp");
    if (adapter !== undefined && !isBroken(backend) && passes("acp"))
      return { runtime: "acp", reason: "preferred", chosen: true };
    if (programOf(backend, "tmux") === undefined) return undefined;
    const why = whyNotAcp(backend, adapter);
    const hint = hintOf(backend, adapter);
    if (hasScreen(backend) && passes("tmux")) return { runtime: "tmux", reason: why, chosen: true, ...hint };
    if (backend.vendor === undefined || !passes("headless")) return undefined;
    const also = hasScreen(backend) ? `its screen ${failure(failsOf(backend, "tmux"))}` : "no tmux";
    return { runtime: "headless", reason: `${why}, and ${also}`, chosen: true, ...hint };
  }

  function whyNotAcp(backend: Backend, program: string | undefined): string {
    const [name] = backend.acp ?? [];
    if (name === undefined) return "it has no ACP form";
    if (program === undefined) return `${basename(name)} is not installed`;
    return `${basename(name)} ${isBroken(backend) ? "ended as it started" : failure(failsOf(backend, "acp"))}`;
  }

  function hintOf(backend: Backend, program: string | undefined): { hint?: string } {
    const { acp, acpInstall, name } = backend;
    if (acp === undefined) return {};
    if (program !== undefined) {
      const hint = isBroken(backend)
        ? `${acp[0]} ended as it started; with one that starts Huddle need not read its screen.`
        : `${acp[0]} ${failure(failsOf(backend, "acp"))}. After an update, try it again: huddle selftest ${name}`;
      return { hint };
    }
    return acpInstall === undefined
      ? {}
      : {
          hint: `With ${acpInstall} Huddle need not read its screen: every permission, also of a newer version, can be answered from here.`,
        };
  }

  return {
    choose,
    failed(backend, runtime) {
      // A CLI that ends in its pane has its reasons on its screen; without one it would not start any better.
      const program = runtime === "acp" ? programOf(backend, "acp") : undefined;
      if (program === undefined) return undefined;
      known.noteBroken({ backend: backend.name, runtime: "acp", program });
      if (backend.isRuntimeSet || programOf(backend, "tmux") === undefined) return undefined;
      const next = choose(backend);
      return next.runtime === "acp" ? undefined : next;
    },
    started(backend, runtime) {
      if (runtime === "acp") known.noteStarted({ backend: backend.name, runtime });
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

function failure(behaviours: readonly string[]): string {
  return `failed the self-test (${behaviours.join(", ")})`;
}
