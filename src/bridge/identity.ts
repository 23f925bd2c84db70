import { rmSync } from "node:fs";
import { join } from "node:path";
import { HubError } from "../model/errors.js";
import { MCP_LOOKS } from "../model/mcp-looks.js";
import { checkAgentName, checkTeam } from "../model/names.js";
import { askHub } from "./ask-hub.js";
import { type AgentDescription, agentKey, type Client, describeAgent } from "./describe-agent.js";
import { Refused, Unreachable } from "./failures.js";
import type { HomeHub } from "./home-hub.js";
import { openKeptIdentities } from "./kept-identities.js";
import { readIdentity } from "./read-identity.js";
import { introduce, isAgentToken, readToken, registerAgent } from "./register-agent.js";
import type { Settings } from "./settings.js";

/*
 * Who the bridge speaks as. `nobody` until somebody is needed: what only looks at the hub's tools is asked as a visitor, so that
 * a probe registers nobody. Then `somebody`: the identity that was given (a file, or an agent's token), the one this terminal had
 * before, or an agent that is registered now. When the hub no longer knows an agent that it knew, somebody removed it: the
 * bridge is `dismissed`, and an agent that was removed does not come back by itself. One that the hub does not know when the
 * bridge starts is registered again: starting a CLI is a person's act.
 */
type State = { kind: "nobody" } | { kind: "somebody"; me: Me } | { kind: "dismissed"; refusal: Refused };

/** `isProven`: the hub has accepted the token since this process holds it. `given`: by what, if it was given. */
type Me = { name: string; token: string; isProven: boolean; file?: string; given?: "file" | "token" };

/** Without `me` a visitor; `wished` is the name that it would register under. */
export type Speaker = { token: string; me?: Me; wished?: string };

export type Identity = {
  /** Becomes somebody. Throws Unreachable or Refused. */
  assume(client: Client | undefined): Promise<Speaker>;
  /** Becomes somebody, and shows it to the others. Throws Unreachable or Refused. */
  appear(client: Client | undefined): Promise<void>;
  /** As whom a request of this method is made. Throws Unreachable or Refused. */
  speaker(method: string, client: Client | undefined): Promise<Speaker>;
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
  /** Held already, so that hooks find it and no other bridge takes it, and not spoken as yet. */
  let taken: Me | undefined;
  let hasLooked = false;
  let joining: Promise<Me> | undefined;
  let heart: NodeJS.Timeout | undefined;

  async function becomeSomebody(client: Client): Promise<Me> {
    const url = hub.url();
    const me = await whoIs(url, client);
    taken = undefined;
    state = { kind: "somebody", me };
    heart ??= setInterval(beat, HEARTBEAT_MS);
    return me;
  }

  async function whoIs(url: string, client: Client): Promise<Me> {
    if (identityFile !== undefined) return { ...readIdentity(identityFile), isProven: true, given: "file" };
    const token = readToken(url, settings);
    if (isAgentToken(token)) return { ...(await introduce(url, token)), isProven: true, given: "token" };
    const description = describeAgent(client, process.cwd(), settings);
    return takeKept(description) ?? register(url, description);
  }

  function takeKept(description: AgentDescription): Me | undefined {
    if (taken !== undefined) return taken;
    const found = kept.take(keyOf(description), settings.name !== undefined);
    return found && { ...found, isProven: false };
  }

  function keyOf(description: AgentDescription): string {
    return agentKey(description, settings.url ?? paths.data);
  }

  async function register(url: string, description: AgentDescription): Promise<Me> {
    const registered = await registerAgent(url, description, settings);
    for (const { name, token } of kept.takeForgotten(Date.now())) {
      const path = `/api/agents/${encodeURIComponent(name)}`;
      askHub(url, { method: "DELETE", path, token }).catch(() => {});
    }
    try {
      return { ...registered, isProven: true, file: kept.keep(keyOf(description), registered) };
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
    try {
      signOfLife(state.me).catch(hub.lost);
    } catch {} // No hub now.
  }

  function signOfLife({ name, token }: Me) {
    const path = `/api/agents/${encodeURIComponent(name)}/heartbeat`;
    return askHub(hub.url(), { method: "POST", path, token });
  }

  async function assume(client: Client = { name: "", version: "" }): Promise<Speaker> {
    if (state.kind === "dismissed") throw state.refusal;
    if (state.kind === "somebody") return { token: state.me.token, me: state.me };
    joining ??= becomeSomebody(client).finally(() => {
      joining = undefined;
    });
    const me = await joining;
    return { token: me.token, me };
  }

  /** The token to visit with; undefined for a bridge that was told who it is. */
  function visitorToken(client: Client | undefined): string | undefined {
    if (state.kind !== "nobody" || identityFile !== undefined) return undefined;
    const token = readToken(hub.url(), settings);
    if (isAgentToken(token)) return undefined;
    if (client !== undefined && joining === undefined && !hasLooked) {
      hasLooked = true;
      taken = takeKept(describeAgent(client, process.cwd(), settings));
    }
    if (taken === undefined) checkGiven(settings);
    return token;
  }

  return {
    assume,
    async appear(client) {
      const { me } = await assume(client);
      if (me !== undefined && (await signOfLife(me)).status === 401) refused(me);
    },
    async speaker(method, client) {
      const visitor = MCP_LOOKS.has(method) ? visitorToken(client) : undefined;
      if (visitor === undefined) return assume(client);
      if (client === undefined) return { token: visitor };
      return { token: visitor, wished: taken?.name ?? describeAgent(client, process.cwd(), settings).name };
    },
    current: () => (state.kind === "somebody" ? state.me : undefined),
    refused,
  };

  function refused(me: Me): never {
    if (me.file !== undefined) rmSync(me.file, { force: true });
    if (state.kind === "dismissed") throw state.refusal;
    if (state.kind === "somebody" && state.me === me) state = { kind: "nobody" };
    else throw new Unreachable("the token has changed");
    if (!me.isProven) throw new Unreachable("the hub does not know the token");
    const refusal = new Refused({
      error: `The hub has removed the agent "${me.name}". ${wayBack(me)}`,
      code: "AGENT_GONE",
    });
    clearInterval(heart);
    state = { kind: "dismissed", refusal };
    throw refusal;
  }
}

function wayBack({ given }: Me): string {
  if (given === "file")
    return "Make a new identity file with `huddle identity`, and restart this MCP server.";
  if (given === "token")
    return "Set HUDDLE_TOKEN to the token of another, or unset it, and restart this MCP server.";
  return "To join again, restart this MCP server.";
}

/** As the hub would when it is registered: a client sees at once that it is wired wrongly. */
function checkGiven({ name, team }: Pick<Settings, "name" | "team">): void {
  try {
    if (name !== undefined) checkAgentName(name);
    if (team !== undefined) checkTeam(team);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    throw new Refused({ error: error.message, code: error.code, ...error.details });
  }
}
