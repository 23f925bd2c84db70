import type { View } from "../journal/fold.js";
import type { Database } from "../journal/sqlite/port.js";
import { DEFAULT_TEAM } from "../model/address.js";
import { type Agent, type AgentId, HUMAN_ID, HUMAN_NAME, isAway, type Recipient } from "../model/agent.js";
import { type AgentRow, always, fromRow, toAgent } from "./agent-row.js";
import type { Peers } from "./peers.js";
import { createRemembered } from "./remembered.js";
import { createTally } from "./tally.js";

/** `after`: the last of the page before, by name and then by team. */
type ListAgents = { team?: string | undefined; after?: Place | undefined; limit: number };

type Place = Pick<Agent, "name" | "team">;

/** A name that was given up by a rename, and until when in hub time it is kept from others of that team. */
type HeldName = { team: string; agent: AgentId; until: number };

/** Who is here, under which name, and by which credential. */
export type Roster = View & {
  /** Also of another hub: whom `hub` names. Nothing else here knows of those. */
  byId(id: AgentId): Agent | undefined;
  /** The present agent of that name in that team, or the person under `user` and `human`. */
  byName(name: string, team: string): Agent | undefined;
  /** The teams in which somebody has that name, or gave it up lately. */
  teamsOf(name: string): readonly string[];
  /** Names that more than one team has: for many agents at once, where `teamsOf` would ask for each. */
  sharedNames(): ReadonlySet<string>;
  /** Older agents whose instance stands beside their name: whoever is `name-instance`. */
  byInstance(nameAndInstance: string): Agent[];
  byCredential(hash: string): Agent | undefined;
  /** The newest agent of that name that left, of a team or any, for a 410 rather than a 404. */
  goneByName(name: string, team: string | undefined): Agent | undefined;
  /** Whose former name this is in that team, while it is kept from others. */
  heldName(name: string, team: string): HeldName | undefined;
  isTaken(name: string, team: string): boolean;
  /** Present agents in order of their names. */
  list(query: ListAgents): Agent[];
  present(): Agent[];
  /** The newest agents, those that left too. */
  newest(limit: number): Agent[];
  /** Whether those who come are paused, and who among them is not. */
  allPaused(): { spares: "orchestrators" | null } | undefined;
  /** The present agents, of a team or all of them: what a broadcast needs of them, and no more. */
  recipients(team: string | undefined): Recipient[];
  count(): number;
  /** Present agents that the hub itself runs. */
  hosted(): Agent[];
  hostedCount(): number;
  /** Those of them that agents spawned. */
  hostedByAgents(): number;
  /**
   * The agent that what this one starts is counted with: itself, or the topmost one above it. None for the person and
   * orchestrators, and those right below an orchestrator are heads of their own.
   */
  headOf(id: AgentId): Agent | undefined;
  /** Present agents that a head and those below it started. */
  startedBelow(head: AgentId): number;
};

const REMEMBERED = 5000;

export function createRoster(db: Database, peers: Pick<Peers, "asAgent">): Roster {
  const byId = db.prepare<[string], AgentRow>("SELECT * FROM agent WHERE id = ?");
  const byName = db.prepare<[string, string], AgentRow>(
    "SELECT * FROM agent WHERE name = ? AND team = ? AND gone_at IS NULL",
  );
  const teams = db.prepare<[string, string], { team: string }>(
    `SELECT team FROM agent WHERE name = ? AND gone_at IS NULL
     UNION SELECT team FROM held_name WHERE name = ?`,
  );
  const shared = db.prepare<[], { name: string }>(
    `SELECT name FROM (SELECT name, team FROM agent WHERE gone_at IS NULL UNION SELECT name, team FROM held_name)
     GROUP BY name HAVING count(*) > 1`,
  );
  const byInstance = db.prepare<[string], AgentRow>(
    "SELECT * FROM agent WHERE gone_at IS NULL AND instance IS NOT NULL AND name || '-' || instance = ?",
  );
  const byCredential = db.prepare<[string], AgentRow>(
    "SELECT agent.* FROM credential JOIN agent ON agent.id = credential.agent WHERE hash = ?",
  );
  const goneByName = db.prepare<[string, string | null], AgentRow>(
    `SELECT * FROM agent WHERE name = ?1 AND team = coalesce(?2, team) AND gone_at IS NOT NULL
     ORDER BY gone_at DESC LIMIT 1`,
  );
  const held = db.prepare<[string, string], HeldName>(
    "SELECT team, agent, until FROM held_name WHERE name = ? AND team = ?",
  );
  const list = db.prepare<[string, string, number], AgentRow>(
    "SELECT * FROM agent WHERE gone_at IS NULL AND (name, team) > (?, ?) ORDER BY name, team LIMIT ?",
  );
  const listTeam = db.prepare<[string, string, number], AgentRow>(
    "SELECT * FROM agent WHERE gone_at IS NULL AND team = ? AND name > ? ORDER BY name LIMIT ?",
  );
  const count = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM agent WHERE gone_at IS NULL");
  const recipients = db.prepare<[], Recipient>(
    "SELECT id, name, team FROM agent WHERE gone_at IS NULL ORDER BY name, team",
  );
  const teamRecipients = db.prepare<[string], Recipient>(
    "SELECT id, name, team FROM agent WHERE gone_at IS NULL AND team = ? ORDER BY name",
  );
  const present = db.prepare<[], AgentRow>("SELECT * FROM agent WHERE gone_at IS NULL");
  // Ids begin with their time.
  const newest = db.prepare<[number], AgentRow>("SELECT * FROM agent ORDER BY id DESC LIMIT ?");
  const hosted = db.prepare<[], AgentRow>(
    "SELECT * FROM agent WHERE runtime IS NOT NULL AND gone_at IS NULL ORDER BY name",
  );
  const hostedCount = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM agent WHERE runtime IS NOT NULL AND gone_at IS NULL",
  );
  const hostedByAgents = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM agent WHERE runtime IS NOT NULL AND gone_at IS NULL AND parent IS NOT NULL",
  );
  const startedBelow = db.prepare<[string], { n: number }>(
    `WITH RECURSIVE below (id, gone_at) AS (
       SELECT id, gone_at FROM agent WHERE parent = ?
       UNION ALL SELECT agent.id, agent.gone_at FROM agent JOIN below ON agent.parent = below.id
     ) SELECT count(*) AS n FROM below WHERE gone_at IS NULL`,
  );
  const setRuntime = db.prepare(
    "UPDATE agent SET runtime = ?, runtime_reason = ?, session = NULL WHERE id = ?",
  );
  const setReason = db.prepare("UPDATE agent SET runtime_reason = ? WHERE id = ?");
  const setPaused = db.prepare(
    "UPDATE agent SET paused_since = coalesce(paused_since, ?) WHERE id = ? AND gone_at IS NULL",
  );
  const setResumed = db.prepare("UPDATE agent SET paused_since = NULL WHERE id = ?");
  const pauseAll = db.prepare("INSERT OR REPLACE INTO all_paused (id, spares) VALUES (1, ?)");
  const resumeAll = db.prepare("DELETE FROM all_paused");
  const allPaused = db.prepare<[], { spares: "orchestrators" | null }>("SELECT spares FROM all_paused");
  const setSession = db.prepare("UPDATE agent SET session = ? WHERE id = ?");

  const insert = db.prepare(
    `INSERT INTO agent (id, name, label, role, team, project, model, backend, heartbeat, attention, parent, depth,
       runtime, instance, permissions, adopted, tools, status, status_since, status_evidence, paused_since,
       registered_at, last_active)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'registered', ?, ?, ?)`,
  );
  const credential = db.prepare("INSERT INTO credential (hash, agent) VALUES (?, ?)");
  const revoke = db.prepare("DELETE FROM credential WHERE agent = ?");
  const rename = db.prepare(
    "UPDATE agent SET name = ?, team = ?, instance = ?, last_active = ? WHERE id = ?",
  );
  const hold = db.prepare("INSERT OR REPLACE INTO held_name (name, team, agent, until) VALUES (?, ?, ?, ?)");
  const release = db.prepare("DELETE FROM held_name WHERE name = ? AND team = coalesce(?, team)");
  const releaseAll = db.prepare("DELETE FROM held_name WHERE agent = ?");
  const update = db.prepare(
    `UPDATE agent SET project = coalesce(?, project), team = coalesce(?, team), model = coalesce(?, model),
       attention = coalesce(?, attention), last_active = ? WHERE id = ?`,
  );
  const setPane = db.prepare(
    `UPDATE agent SET runtime = ?, adopted = ?, permissions = ?, backend = coalesce(?, backend) WHERE id = ?`,
  );
  const setLabel = db.prepare("UPDATE agent SET label = ? WHERE id = ?");
  const gone = db.prepare("UPDATE agent SET gone_at = ?, ending = NULL WHERE id = ?");
  const setEnding = db.prepare("UPDATE agent SET ending = ? WHERE id = ? AND gone_at IS NULL");
  const presence = db.prepare(
    `UPDATE agent SET status = ?, status_since = ?, status_evidence = ?, limited_until = ?,
       last_active = max(last_active, ?) WHERE id = ?`,
  );

  // Read for every call and changed seldom: remembered until anything about agents changes.
  const { get: remember, forget } = createRemembered<string, Agent>(REMEMBERED);
  // Changes only when somebody comes, goes or is renamed; asked for each end of each message that is shown.
  const named = createRemembered<string, readonly string[]>(REMEMBERED);

  let sharedNames: ReadonlySet<string> | undefined;

  function forgetNames() {
    forget();
    named.forget();
    sharedNames = undefined;
  }

  const read = (id: AgentId) => always.get(id) ?? toAgent(byId.get(id));
  const find = (id: AgentId) =>
    always.get(id) ?? remember(`i${id}`, () => toAgent(byId.get(id)) ?? peers.asAgent(id));

  // Asked at every start of an agent, by agents that may do little else: kept.
  const running = createTally((by: "anybody" | "agents") => {
    return (by === "agents" ? hostedByAgents : hostedCount).get()?.n ?? 0;
  });
  const below = createTally((head: AgentId) => startedBelow.get(head)?.n ?? 0);

  /** Call these before its row changes. */
  function countRunning(parent: AgentId | null, change: number) {
    running.add("anybody", change);
    if (parent !== null) running.add("agents", change);
  }
  function countAgent(parent: AgentId | null, isHosted: boolean, change: number) {
    if (isHosted) countRunning(parent, change);
    if (parent === null) return;
    const head = climb(parent, read);
    if (head !== undefined) below.add(head.id, change);
  }

  function isPausedFromStart(role: Agent["role"]): boolean {
    const all = allPaused.get();
    return all !== undefined && !(all.spares === "orchestrators" && role === "orchestrator");
  }

  return {
    tables: ["agent", "held_name", "credential", "all_paused"],
    forget() {
      forgetNames();
      running.clear();
      below.clear();
    },
    folds: {
      AgentRegistered({ data, at, hubTime }) {
        forgetNames();
        countAgent(data.parent ?? null, data.runtime !== undefined, 1);
        insert.run(
          data.agent,
          data.name,
          data.label ?? null,
          data.role,
          data.team,
          data.project,
          data.model,
          data.backend,
          data.heartbeat ? 1 : 0,
          data.attention ?? null,
          data.parent ?? null,
          data.depth ?? 0,
          data.runtime ?? null,
          data.instance ?? null,
          data.permissions ?? null,
          data.adopted === undefined ? null : JSON.stringify(data.adopted),
          data.tools ?? null,
          data.runtime === undefined ? "idle" : "starting",
          at,
          isPausedFromStart(data.role) ? hubTime : null,
          at,
          at,
        );
      },
      CredentialIssued({ data }) {
        forget();
        if (data.replaces === true) revoke.run(data.agent);
        credential.run(data.hash, data.agent);
      },
      AgentRenamed({ data, at }) {
        forgetNames();
        const agent = read(data.agent);
        const before = data.fromTeam ?? agent?.team ?? DEFAULT_TEAM;
        const team = data.toTeam ?? before;
        const instance = agent?.instance ?? null;
        // What was the end of the name is gone with it.
        const kept = data.from.endsWith(`-${instance}`) && data.to !== data.from ? null : instance;
        release.run(data.to, team);
        rename.run(data.to, team, kept, at, data.agent);
        hold.run(data.from, before, data.agent, data.heldUntil);
      },
      NameReleased({ data }) {
        forgetNames();
        release.run(data.name, data.team ?? null);
      },
      AgentUpdated({ data, at }) {
        // A journal from before teams had names of their own moves agents by this alone.
        if (data.team === undefined) forget();
        else forgetNames();
        if (data.label !== undefined) setLabel.run(data.label, data.agent);
        update.run(
          data.project ?? null,
          data.team ?? null,
          data.model ?? null,
          data.attention ?? null,
          at,
          data.agent,
        );
      },
      AgentDeregistered({ data, at }) {
        forgetNames();
        const agent = read(data.agent);
        if (agent?.goneAt === null) countAgent(agent.parent, agent.runtime !== null, -1);
        gone.run(at, data.agent);
        revoke.run(data.agent);
        releaseAll.run(data.agent);
      },
      PresenceChanged({ data, at }) {
        forget();
        const lastActive = isAway(data.status) ? (data.lastSeen ?? 0) : at;
        presence.run(data.status, at, data.evidence, data.until ?? null, lastActive, data.agent);
      },
      SpawnRequested({ data }) {
        if (data.runtimeReason === undefined) return;
        forget();
        if (data.runtime === undefined) setReason.run(data.runtimeReason, data.agent);
        else setRuntime.run(data.runtime, data.runtimeReason, data.agent);
      },
      ShutdownRequested({ data }) {
        if (data.hosted !== true) return;
        forget();
        setEnding.run("shutdown", data.agent);
      },
      KillRequested({ data }) {
        if (data.hosted !== true) return;
        forget();
        setEnding.run("killed", data.agent);
      },
      AgentPaused({ data, hubTime }) {
        forget();
        setPaused.run(hubTime, data.agent);
      },
      AgentResumed({ data }) {
        forget();
        setResumed.run(data.agent);
      },
      AllPaused({ data }) {
        pauseAll.run(data.spares ?? null);
      },
      AllResumed() {
        resumeAll.run();
      },
      AgentStarted({ data }) {
        if (data.session === undefined) return;
        forget();
        setSession.run(data.session, data.agent);
      },
      SessionChanged({ data }) {
        forget();
        setSession.run(data.session, data.agent);
      },
      PaneAdopted({ data }) {
        forget();
        countRunning(read(data.agent)?.parent ?? null, 1);
        setPane.run("tmux", JSON.stringify(data.adopted), data.permissions, data.backend, data.agent);
      },
      PaneLetGo({ data }) {
        forget();
        countRunning(read(data.agent)?.parent ?? null, -1);
        setPane.run(null, null, null, null, data.agent);
        // Only its pane was to end.
        setEnding.run(null, data.agent);
      },
      PeerAdded: forget,
      PeerChanged: forget,
      PeerRemoved: forget,
      PeerAgentMet: forget,
      PeerAgentChanged: forget,
    },
    byId: find,
    byName: (name, team) =>
      name === HUMAN_NAME || name === "human"
        ? always.get(HUMAN_ID)
        : remember(`n${team}/${name}`, () => toAgent(byName.get(name, team))),
    teamsOf: (name) => named.get(name, () => teams.all(name, name).map(({ team }) => team)) ?? [],
    sharedNames: () => (sharedNames ??= new Set(shared.all().map(({ name }) => name))),
    byInstance: (nameAndInstance) => byInstance.all(nameAndInstance).map(fromRow),
    byCredential: (hash) => remember(`c${hash}`, () => toAgent(byCredential.get(hash))),
    goneByName: (name, team) => toAgent(goneByName.get(name, team ?? null)),
    heldName: (name, team) => held.get(name, team),
    isTaken: (name, team) => byName.get(name, team) !== undefined || held.get(name, team) !== undefined,
    list({ team, after = { name: "", team: "" }, limit }) {
      const rows =
        team === undefined ? list.all(after.name, after.team, limit) : listTeam.all(team, after.name, limit);
      return rows.map(fromRow);
    },
    present: () => present.all().map(fromRow),
    newest: (limit) => newest.all(limit).map(fromRow),
    recipients: (team) => (team === undefined ? recipients.all() : teamRecipients.all(team)),
    allPaused: () => allPaused.get(),
    count: () => count.get()?.n ?? 0,
    hosted: () => hosted.all().map(fromRow),
    hostedCount: () => running.of("anybody"),
    hostedByAgents: () => running.of("agents"),
    headOf: (id) => climb(id, find),
    startedBelow: below.of,
  };
}

function climb(id: AgentId, find: (id: AgentId) => Agent | undefined): Agent | undefined {
  const agent = find(id);
  if (agent?.role !== "agent") return undefined;
  return (agent.parent === null ? undefined : climb(agent.parent, find)) ?? agent;
}
