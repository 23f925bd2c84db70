import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { askHub } from "./ask-hub.js";
import { agentKey, type Client, describeAgent } from "./describe-agent.js";
import { Refused, Unreachable } from "./failures.js";
import type { HomeHub } from "./home-hub.js";
import { readJson } from "./json.js";
import { openKeptIdentities } from "./kept-identities.js";
import { registerAgent } from "./register-agent.js";
import type { Settings } from "./settings.js";

/*
 * Who the bridge speaks as. `nobody` until the first request; then `somebody`: the identity that was given, the one
 * this terminal had before, or an agent that is registered now. When the hub no longer knows an agent that it knew,
 * somebody removed it: the bridge is `dismissed`, and an agent that was removed does not come back by itself. One that
 * the hub does not know when the bridge starts is registered anew: starting a CLI is a person's act.
 */
type State = { kind: "nobody" } | { kind: "somebody"; me: Me } | { kind: "dismissed"; refusal: Refused };

/** `isProven`: the hub has accepted the token since this process holds it. */
type Me = { name: string; token: string; isProven: boolean; file?: string };

export type Identity = {
  /** Throws Unreachable or Refused. */
  assume(client: Client): Promise<Me>;
  /** Whoever is there already. */
  current(): Me | undefined;
  /** The hub did not accept its token. Throws Unreachable when there is another to try, else Refused. */
  refused(me: Me): never;
};

const HEARTBEAT_MS = 10_000;

export function createIdentity(settings: Settings, hub: HomeHub): Identity {
  const { identityFile, paths } = settings;
  const kept = openKeptIdentities(join(paths.data, "bridges"));
  let state: State = { kind: "nobody" };
  let joining: Promise<Me> | undefined;
  let heart: NodeJS.Timeout | undefined;

  async function becomeSomebody(client: Client): Promise<Me> {
    const url = hub.url();
    const me = identityFile === undefined ? await takeOrRegister(url, client) : readIdentity(identityFile);
    state = { kind: "somebody", me };
    heart ??= setInterval(beat, HEARTBEAT_MS);
    return me;
  }

  async function takeOrRegister(url: string, client: Client): Promise<Me> {
    const description = describeAgent(client, process.cwd(), settings.name);
    const key = agentKey(description, settings.url ?? paths.data);
    const taken = kept.take(key, settings.name !== undefined);
    if (taken !== undefined) return { ...taken, isProven: false };
    const registered = await registerAgent(url, description, settings);
    for (const { name, token } of kept.takeForgotten(Date.now())) {
      const path = `/api/agents/${encodeURIComponent(name)}`;
      askHub(url, { method: "DELETE", path, token }).catch(() => {});
    }
    try {
      return { ...registered, isProven: true, file: kept.keep(key, registered) };
    } catch (error) {
      process.stderr.write(
        `huddle: "${registered.name}" will not come back after a restart: ${String(error)}\n`,
      );
      return { ...registered, isProven: true };
    }
  }

  /** Any call by the agent is a sign of life, whatever its answer. It starts no hub: only what the client asks does. */
  function beat(): void {
    if (state.kind !== "somebody") return;
    const { name, token } = state.me;
    const path = `/api/agents/${encodeURIComponent(name)}/heartbeat`;
    try {
      askHub(hub.url(), { method: "POST", path, token }).catch(hub.lost);
    } catch {} // No hub now.
  }

  return {
    async assume(client) {
      if (state.kind === "dismissed") throw state.refusal;
      if (state.kind === "somebody") return state.me;
      joining ??= becomeSomebody(client).finally(() => {
        joining = undefined;
      });
      return joining;
    },
    current: () => (state.kind === "somebody" ? state.me : undefined),
    refused(me) {
      if (me.file !== undefined) rmSync(me.file, { force: true });
      if (state.kind === "dismissed") throw state.refusal;
      if (state.kind === "somebody" && state.me === me) state = { kind: "nobody" };
      else throw new Unreachable("the token has changed");
      if (!me.isProven) throw new Unreachable("the hub does not know the token");
      const refusal = new Refused({
        error: `The hub has removed the agent "${me.name}". ${
          identityFile === undefined
            ? "To join anew, restart this MCP server."
            : "Make a new identity file with `huddle identity`, and restart this MCP server."
        }`,
        code: "AGENT_GONE",
      });
      clearInterval(heart);
      state = { kind: "dismissed", refusal };
      throw refusal;
    },
  };
}

function readIdentity(file: string): Me {
  const { name, token } = readJson(file) ?? {};
  if (typeof name !== "string" || typeof token !== "string") {
    throw unusable(file, "is not an identity file. Make one: huddle identity NAME");
  }
  // Windows has no such permission bits.
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
    throw unusable(file, `can be read by other users. Close it: chmod 600 ${file}`);
  }
  return { name, token, isProven: true };
}

function unusable(file: string, problem: string): Refused {
  return new Refused({ error: `${file} ${problem}`, code: "FILE_UNUSABLE", file });
}
