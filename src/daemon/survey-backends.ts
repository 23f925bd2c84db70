import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../model/clock.js";
import type { ToolsetName } from "../model/toolset.js";
import type { Backend, RuntimeKind } from "../runtime/backend.js";
import type { ChooseRuntime } from "../runtime/backends/choose-runtime.js";
import { createVersions } from "../runtime/backends/find-versions.js";
import type { KnownRuntimes } from "../runtime/backends/known-runtimes.js";
import { installCommand, surveyBackend } from "../runtime/backends/survey-backend.js";
import type { Environment } from "../runtime/process/environment.js";
import { findCommand } from "../runtime/process/find-command.js";
import { RuntimeError } from "../runtime/runtime.js";
import { clients } from "../runtime/vendors/clients.js";
import type { HostingPort, SurveyedBackend } from "../surface/ports.js";
import type { TightViews } from "../views/tight.js";

type SurveyPorts = {
  views: TightViews;
  backends: ReadonlyMap<string, Backend>;
  environment: (backend: Backend) => Environment;
  choice: Pick<ChooseRuntime, "choose">;
  known: KnownRuntimes;
  /** What agents get unless their backend says otherwise. */
  tools: ToolsetName;
  /** What agents run on when nobody says. */
  preset: string | undefined;
};

/** How long whoever asks is kept waiting for versions. */
const WAIT_MS = 1000;
const MODELS = 12;
/** Agents, the newest first, whose models are looked at. */
const LOOKED_AT = 500;

/** What agents can run on here. Programs are looked for each time; their versions are asked beside that. */
export function createSurvey({ views, backends, environment, choice, known, tools, preset }: SurveyPorts): {
  survey: HostingPort["backends"];
  missing: HostingPort["missingBackends"];
  end(): void;
} {
  const versions = createVersions(systemClock.monotonic);
  const finder = (backend: Backend) => (command: string) =>
    findCommand(command, { path: environment(backend)["PATH"] ?? "", cwd: "/" });

  const hereFor = (backend: Backend) => ({
    find: finder(backend),
    isBroken: (program: string) => known.isBroken({ backend: backend.name, runtime: "acp", program }),
    selftest: (runtime: RuntimeKind, program: string) =>
      known.selftest({ backend: backend.name, runtime, program }),
  });

  function describe(backend: Backend): SurveyedBackend {
    const find = finder(backend);
    const runtimes = surveyBackend(backend, hereFor(backend));
    const path = find(backend.command) ?? null;
    const asked = path === null || backend.vendor === undefined ? null : versions.known(path);
    return {
      name: backend.name,
      label: labelOf(backend),
      installed: runtimes.some(({ works }) => works),
      path,
      version: asked ?? null,
      checking: asked === undefined,
      install: installCommand(backend),
      runtimes,
      ...usualRuntime(backend),
      permissions: backend.permissions,
      tools: backend.tools ?? tools,
      worktree: backend.worktree === true,
      models: modelsOf(backend.name),
    };
  }

  function usualRuntime(backend: Backend): Pick<SurveyedBackend, "runtime" | "runtime_reason"> {
    try {
      const { runtime, reason } = choice.choose(backend);
      return { runtime, runtime_reason: reason };
    } catch (error) {
      if (error instanceof RuntimeError) return { runtime: null, runtime_reason: null };
      throw error;
    }
  }

  function modelsOf(name: string): string[] {
    const models = views.roster
      .newest(LOOKED_AT)
      .flatMap(({ backend, model }) => (backend === name && model !== null ? [model] : []));
    return [...new Set(models)].slice(0, MODELS);
  }

  return {
    async survey() {
      const asked = [...backends.values()].flatMap((backend) => {
        const path = finder(backend)(backend.command);
        // What a program that nobody knows does with --version nobody knows either.
        return path === undefined || backend.vendor === undefined
          ? []
          : [versions.look(path, environment(backend))];
      });
      const late = new AbortController();
      await Promise.race([
        Promise.all(asked),
        sleep(WAIT_MS, undefined, { signal: late.signal }).catch(() => {}),
      ]);
      late.abort();
      return { backends: [...backends.values()].map(describe), default: preset ?? null };
    },
    missing() {
      const hosted = views.roster.hosted();
      return [...backends.values()].flatMap((backend) => {
        const agents = hosted.filter((agent) => agent.backend === backend.name);
        if (agents.length === 0) return [];
        const runtimes = surveyBackend(backend, hereFor(backend));
        if (runtimes.some(({ works }) => works)) return [];
        return [
          { backend: backend.name, agents: agents.map(({ name }) => name), install: installCommand(backend) },
        ];
      });
    },
    end: versions.end,
  };
}

function labelOf({ name, vendor }: Backend): string {
  return clients.find((client) => client.vendor === vendor && client.vendor === name)?.label ?? name;
}
