import type { z } from "zod";
import type {
  createSessionBody,
  sessionCreated,
  sessionState as stateContract,
} from "../contract/http/sessions.js";
import { hashToken, newToken } from "../hub/rules/credentials.js";
import { findAgent } from "../hub/rules/find-agent.js";
import { type Agent, type AgentId, HUMAN_ID } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import { maySee } from "../model/mail-visibility.js";
import type { MessageId } from "../model/message.js";
import { isUuid } from "../model/uuid7.js";
import type { Viewer } from "../model/viewer.js";
import type { HubPorts } from "./ports.js";
import { shownWord } from "./shown/shown-status.js";

/* Sessions are agents by another name: a session's id is its agent's. */

type CreateSession = z.output<typeof createSessionBody> & {
  creator: AgentId;
  /** The same for a call that is made again, which then makes no second session. */
  id?: AgentId | undefined;
  /** That of the first message, for the same reason. */
  messageId?: MessageId | undefined;
};

/** With a backend, named or usual, the hub runs it; without, it is an inbox for whoever gets its token. */
export async function createSession(
  ports: HubPorts,
  session: CreateSession,
): Promise<z.input<typeof sessionCreated>> {
  const backend = session.backend ?? ports.hosting.backendFor(session.creator);
  if (backend !== undefined) return spawnSession(ports, { ...session, backend });
  const { execute, presence, views } = ports;
  const { creator, cwd, name: wanted, model, runtime, tools, initialMessage, ...ids } = session;
  if (runtime !== undefined || tools !== undefined) {
    const asked = runtime === undefined ? `with the tools "${tools}"` : `under the runtime "${runtime}"`;
    throw new HubError("INVALID_INPUT", `A session ${asked} needs a backend as well`);
  }
  const token = newToken("agent");
  const { id, name } = await execute("registerAgent", {
    id: ids.id,
    name: wanted,
    project: cwd,
    model,
    parent: creator === HUMAN_ID ? undefined : creator,
    credential: hashToken(token),
  }).catch((error: unknown) => {
    ports.hosting.refusedSpawn(creator, error);
    throw error;
  });
  const registered = views.roster.byId(id);
  if (registered !== undefined) presence.touch(registered);
  if (initialMessage !== undefined) {
    try {
      const first = { from: creator, to: { id }, content: initialMessage, id: ids.messageId };
      await execute("sendMessage", first);
    } catch (error) {
      // Whoever asked gets no token, so nobody could use it.
      await execute("deregisterAgent", { agent: id, by: "operator" });
      throw error;
    }
  }
  return { sessionId: id, name, cwd, token };
}

/** One that the hub runs; on its creator's backend, if none is named. */
export async function spawnSession(
  { hosting }: HubPorts,
  { creator, cwd, initialMessage, ...wanted }: CreateSession,
): Promise<z.input<typeof sessionCreated>> {
  const spawned = await hosting.spawn({ ...wanted, by: creator, project: cwd, message: initialMessage });
  return { sessionId: spawned.id, name: spawned.name, cwd: spawned.project ?? cwd };
}

/** Everybody may know how a session is; what was said last is shown to those whose words they are, or whose to read. */
export function sessionState(ports: HubPorts, id: AgentId, viewer: Viewer): z.input<typeof stateContract> {
  const { views } = ports;
  const session = findSession(views, id);
  const seq = ports.lastMessage(session.id);
  return {
    sessionId: session.id,
    status: shownWord("sessions", session, ports),
    lastMessage: seq === undefined ? null : lastWords(ports, session, { seq, viewer }),
    cwd: session.project,
    isActive: isActive(session),
  };
}

/** What was said last, by a message or in a turn, if this viewer may read it. */
function lastWords(
  { pageAfter }: HubPorts,
  session: Agent,
  { seq, viewer }: { seq: number; viewer: Viewer },
) {
  const [event] = pageAfter(seq - 1, 1);
  if (event === undefined) return null;
  const timestamp = new Date(event.at).toISOString();
  if (event.type === "TurnEnded") {
    return mayHear(session, viewer)
      ? { role: "assistant" as const, content: event.data.text, timestamp }
      : null;
  }
  if (event.type !== "MessageAccepted" || !maySee(event.data.message, viewer)) return null;
  const { from, content } = event.data.message;
  return { role: from === session.id ? ("assistant" as const) : ("user" as const), content, timestamp };
}

/** What an agent says in a turn may be about anybody's mail: it is for whoever spawned it, and for itself. */
function mayHear(session: Agent, viewer: Viewer): boolean {
  return viewer.kind === "operator" || viewer.id === session.id || viewer.id === session.parent;
}

/** The same for a model, which may have read a name instead of an id: an agent's, or the person's. */
export function namedSession(ports: HubPorts, named: string, from: AgentId): Agent {
  const { views } = ports;
  const known = views.roster.byId(named);
  const isId = known === undefined ? isUuid(named) : known.role !== "human";
  if (isId) return otherSession(ports, named, from);
  const agent = findAgent(views, named, from);
  return agent.role === "human" ? agent : otherSession(ports, agent.id, from);
}

/** The session that somebody else may write to. */
export function otherSession({ views }: HubPorts, id: AgentId, from: AgentId): Agent {
  const session = findSession(views, id);
  if (session.id === from) throw new HubError("SELF_SEND", "Cannot POST to own session");
  return session;
}

function findSession(views: HubPorts["views"], id: AgentId): Agent {
  const agent = id === HUMAN_ID ? undefined : views.roster.byId(id);
  if (agent === undefined || agent.role === "human") {
    throw new HubError("SESSION_NOT_FOUND", `No session has the id "${id.slice(0, 128)}"`);
  }
  if (agent.goneAt !== null) throw new HubError("AGENT_GONE", `Session "${agent.name}" has ended`);
  return agent;
}

function isActive({ status }: Agent): boolean {
  return !["dormant", "starting", "offline", "dead"].includes(status);
}
