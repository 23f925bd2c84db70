import { HubError } from "../model/errors.js";
import type { RuntimeKind } from "../model/hosting.js";
import type { Backend } from "../runtime/backend.js";
import { detectBackend } from "../runtime/backends/detect-backend.js";
import { findBackend } from "../runtime/backends/find-backend.js";
import { installCommand, surveyBackend } from "../runtime/backends/survey-backend.js";
import { findCommand } from "../runtime/process/find-command.js";
import type { OfflineClient, OfflineWorld } from "./offline/offline-client.js";
import { offlineClients } from "./offline/offline-clients.js";

/** All backends of the person's configuration, by their names. */
export type Backends = ReadonlyMap<string, Backend>;

/** A backend that can be tried: one whose vendor is known. */
export type Candidate = { backend: Backend; client: OfflineClient };

/** What there is of a candidate on this machine. */
export type Surveyed = Candidate & {
  /** Of its CLI; undefined: it is not installed. */
  path: string | undefined;
  /** Undefined: it did not say. */
  version: string | undefined;
  /** The command that installs it. */
  install: string | null;
  runtimes: readonly SurveyedRuntime[];
};

export type SurveyedRuntime =
  | { runtime: RuntimeKind; program: string }
  /** It cannot be run so here. */
  | { runtime: RuntimeKind; program: undefined; reason: string; fix: string | null };

/** The backends that are named, or all that can be tried. */
export function chooseCandidates(backends: Backends, names: readonly string[]): Candidate[] {
  const meant =
    names.length === 0 ? [...backends.values()] : names.map((name) => findBackend(backends, name));
  return [...new Set(meant)].flatMap((backend) => {
    if (backend.vendor !== undefined) return [{ backend, client: offlineClients[backend.vendor] }];
    if (names.length === 0) return [];
    throw new HubError(
      "INVALID_INPUT",
      `"${backend.name}" cannot be tested: Huddle does not know how its CLI is run on a scripted model`,
      { hint: `If it is one of the known CLIs under another name, say so: backends.${backend.name}.like` },
    );
  });
}

/** Programs are looked for on the PATH, as the hub does; versions are asked for in the throw-away home. */
export async function surveyCandidate(
  { backend, client }: Candidate,
  env: Readonly<Record<string, string>>,
  world: OfflineWorld,
): Promise<Surveyed> {
  const find = (command: string) => findCommand(command, { path: env["PATH"] ?? "", cwd: "/" });
  const here = surveyBackend(backend, { find, isBroken: () => false, selftest: () => undefined });
  const detected = await detectBackend(backend, { ...env, ...client.env(world) });
  return {
    backend,
    client,
    path: detected.found ? detected.path : undefined,
    version: detected.found ? detected.version : undefined,
    install: installCommand(backend),
    runtimes: here.map(({ runtime, works, reason, install }) => {
      const program = works
        ? find((runtime === "acp" ? backend.acp?.[0] : undefined) ?? backend.command)
        : undefined;
      if (program !== undefined) return { runtime, program };
      return { runtime, program, reason: reason ?? "It is not installed", fix: install };
    }),
  };
}
