import { statSync } from "node:fs";
import type { Backend, RuntimeKind } from "../backend.js";
import type { Environment } from "../process/environment.js";
import { findCommand } from "../process/find-command.js";
import { RuntimeError } from "../runtime.js";

/*
 * How an agent is run when nobody says: over ACP, where the hub sees its turns and the person answers its permissions from
 * anywhere; else in a pane, where they are answered on its screen; else headless, which can ask nobody. What is not
 * installed is passed over, and so is what ended as it started, until another version of it is installed.
 */

type RuntimeChoice = {
  runtime: RuntimeKind;
  /** Why it is not the better one, and what would bring that about. */
  hint?: string;
};

export type ChooseRuntime = {
  choose(backend: Backend): RuntimeChoice;
  /** One of its agents ended as it started. */
  failed(backend: Backend, runtime: RuntimeKind): void;
};

type Found = { environment: (backend: Backend) => Environment; hasScreen: (backend: Backend) => boolean };

export function createChooseRuntime({ environment, hasScreen }: Found): ChooseRuntime {
  /** Which files could not be started, in the versions that they had. */
  const broken = new Map<string, string>();

  function programOf(backend: Backend, runtime: RuntimeKind): string | undefined {
    const command = runtime === "acp" ? backend.acp?.[0] : backend.command;
    return command && findCommand(command, { path: environment(backend)["PATH"] ?? "", cwd: "/" });
  }

  function works(backend: Backend, runtime: RuntimeKind): boolean {
    const program = programOf(backend, runtime);
    return program !== undefined && broken.get(keyOf(backend, runtime)) !== versionOf(program);
  }

  return {
    choose(backend) {
      if (backend.isRuntimeSet) return { runtime: backend.runtime };
      if (works(backend, "acp")) return { runtime: "acp" };
      const hint = hintOf(backend, programOf(backend, "acp"));
      if (hasScreen(backend) && works(backend, "tmux")) return { runtime: "tmux", ...hint };
      if (backend.vendor !== undefined && works(backend, "headless")) return { runtime: "headless", ...hint };
      if (programOf(backend, backend.runtime) !== undefined) return { runtime: backend.runtime };
      throw new RuntimeError("BACKEND_MISSING", `${backend.command} is not installed. ${backend.install}`, {
        command: backend.command,
      });
    },
    failed(backend, runtime) {
      const program = programOf(backend, runtime);
      if (program !== undefined) broken.set(keyOf(backend, runtime), versionOf(program));
    },
  };
}

function keyOf({ name }: Backend, runtime: RuntimeKind): string {
  return `${name} ${runtime}`;
}

/** Another version is another file, or the same one written anew. */
function versionOf(program: string): string {
  const { ino, mtimeMs, size } = statSync(program);
  return `${program} ${ino} ${mtimeMs} ${size}`;
}

function hintOf({ acp, acpInstall }: Backend, program: string | undefined): { hint?: string } {
  if (acp === undefined) return {};
  if (program !== undefined)
    return {
      hint: `${acp[0]} ended as it started; with one that starts you could answer its permissions from here.`,
    };
  return acpInstall === undefined
    ? {}
    : { hint: `With ${acpInstall} you could answer its permissions from here.` };
}
