import type { HuddlePaths } from "../client/paths.js";
import { readVersion } from "../client/version.js";
import { createAttachedTurns } from "../delivery/attached-turns.js";
import { createHookDesk } from "../delivery/hook-desk.js";
import { createInboxReader } from "../delivery/inbox-reader.js";
import { createMailPump } from "../delivery/mail-pump.js";
import { newMark } from "../delivery/new-mark.js";
import type { HubContext } from "../hub/context.js";
import { deciders } from "../hub/deciders.js";
import { addressThen } from "../hub/rules/address-of.js";
import { createObligations } from "../hub/rules/obligations.js";
import { createFeed } from "../journal/feed.js";
import { openJournal } from "../journal/journal.js";
import { HUMAN_ID, isAway } from "../model/agent.js";
import type { Clock } from "../model/clock.js";
import type { HubError } from "../model/errors.js";
import { isBridged } from "../model/hosting.js";
import { newUuid7 } from "../model/uuid7.js";
import { endSaidTurn } from "../policies/end-said-turn.js";
import { startPresenceWatch } from "../policies/presence-watch.js";
import { startTicker } from "../policies/ticker.js";
import type { Secrets } from "../surface/caller/auth.js";
import { createSeats, searchSeats, waitSeats } from "../surface/caller/seats.js";
import type { HubPorts } from "../surface/ports.js";
import { createHttpSurface } from "../surface/server.js";
import { startCommsLog } from "../views/comms-log/comms-log.js";
import { createIdEnds, idEndsView } from "../views/lazy/id-ends.js";
import { createLastMessage, lastMessageView } from "../views/lazy/last-message.js";
import { openLazyViews } from "../views/lazy/lazy-views.js";
import { createMailOf, mailOfView } from "../views/lazy/mail-of.js";
import { createQuestions, type Questions, questionsView } from "../views/lazy/questions.js";
import { openSearch } from "../views/lazy/search.js";
import { readStats, statsView } from "../views/lazy/stats.js";
import { createThreadReader, threadsView } from "../views/lazy/threads.js";
import { createTightViews, type TightViews } from "../views/tight.js";
import { createTraffic } from "../views/traffic.js";
import { checkLater } from "./check-later.js";
import { createClosing } from "./closing.js";
import type { Condition } from "./condition.js";
import type { HubConfig } from "./config-schema.js";
import { deskFolder } from "./desk-folder.js";
import { createHubDoctor } from "./doctor/hub-doctor.js";
import { createFabricDesk } from "./fabric-desk.js";
import { createMembership } from "./fabric-membership.js";
import { watchHandles } from "./handle-watch.js";
import { createHealthDetails } from "./health-details.js";
import { watchIntegrity } from "./integrity-watch.js";
import { hubLimits, journalLimits, surfaceLimits } from "./limits.js";
import { loadTheRest } from "./load-the-rest.js";
import type { Log } from "./log.js";
import { createMaintenance } from "./maintenance.js";
import { createPeerDesk } from "./peer-desk.js";
import { startCallbacks } from "./start-callbacks.js";
import { startHosting } from "./start-hosting.js";
import { createLinkHub } from "./start-link.js";
import { createStopNotice } from "./stop-notice.js";

type HubOptions = {
  config: HubConfig;
  paths: HuddlePaths;
  /** Made, on first use, only once there is a database: without one, a secret tells of a hub whose database is lost. */
  secrets: () => Secrets;
  clock: Clock;
  log: Log;
  condition: Condition;
  /** The disk's state is unknown, or the database is gone: the process must end. */
  onFatal: (error: HubError) => void;
};

type RunningHub = {
  url: string;
  /** Agents end their turns first, for a while; `hurry` takes the rest of that time away. */
  close(): Promise<void>;
  hurry(): void;
};

/** Wires the stations of a message together, from the surface to the journal, and opens the door. */
export async function startHub({
  config,
  paths,
  secrets,
  clock,
  log,
  condition,
  onFatal,
}: HubOptions): Promise<RunningHub> {
  const closing = createClosing();
  const onError = (error: unknown) =>
    log.error({ err: condition.explain(error) }, "a background task failed");
  let ownId = (): string | undefined => undefined;
  const limits = { ...hubLimits(config), hubId: () => ownId() };
  try {
    const journal = openJournal({
      file: paths.database,
      clock,
      limits: journalLimits(config),
      createViews: createTightViews,
      deciders,
      context: (views: TightViews, now, at): HubContext => ({ views, limits, now, at, newId: newUuid7 }),
      onFatal,
      onProblem: (message) => log.warn(`checkpoint: ${message}`),
    });
    closing.add("journal", journal.close);
    const { execute, views, events, onApplied, onCommitted } = journal;
    const stopNotice = createStopNotice({ execute, views, now: journal.now, onError });
    await stopNotice.withdraw();

    // First in line after a commit: an open wait, then the agents that the hub runs; whatever is only read comes later.
    const inbox = createInboxReader({
      views,
      execute,
      onApplied,
      now: journal.now,
      wall: clock.wall,
      reofferAfterMs: limits.reofferAfterMs,
    });
    const mail = createMailPump({ views, execute, onApplied, onCommitted, wall: clock.wall });
    let questions: Questions | undefined;
    const obligations = createObligations({
      views,
      questions: {
        find: (asked) => questions?.find(asked) ?? [],
        caughtUp: async () => questions?.caughtUp(),
      },
      now: journal.now,
      wall: clock.wall,
    });
    let url = "";
    const hosting = startHosting({
      config,
      paths,
      journal,
      obligations,
      url: () => url,
      rouse: inbox.rouse,
      onError,
    });

    const lazy = openLazyViews({
      file: paths.views,
      views: [statsView, lastMessageView, threadsView, idEndsView, mailOfView, questionsView],
      events,
      onCommitted,
      onProblem: onError,
    });
    questions = createQuestions(lazy);
    // SQLite removes a log by its path when it closes: in a folder that was replaced it may be another hub's.
    const isOurs = () => condition.problem()?.code !== "DATA_UNUSABLE";
    closing.add("lazy views", () => (isOurs() ? lazy.close() : undefined));
    const search = openSearch({ file: paths.search, events, onCommitted, onProblem: onError });
    closing.add("search", () => (isOurs() ? search.close() : search.rest()));
    const comms = startCommsLog({
      address: (agent, name) => addressThen(views, agent, name, HUMAN_ID),
      isElsewhere: (agent) => views.peers.agent(agent) !== undefined,
      file: paths.commsLog,
      maxBytes: config.log.comms_bytes,
      files: config.log.comms_files,
      events,
      onCommitted,
      onProblem: (error) => log.warn({ err: error }, "agent-comms.log cannot be written for now"),
    });
    closing.add("comms log", comms.close);

    const presence = startPresenceWatch({
      roster: views.roster,
      clock,
      limits: { offlineAfterMs: config.presence.offline_after, deadAfterMs: config.presence.dead_after },
      execute,
      onError,
    });
    closing.add("presence", presence.stop);
    closing.add(
      "ticker",
      startTicker({ alarms: views.alarms, now: journal.now, execute, onCommitted, onError }),
    );

    const started = clock.wall();
    const version = readVersion(); // Later there may be no file handle left to read it.
    const shown = surfaceLimits(config);
    const totals = lazy.reading((db) => () => readStats(db), {});
    function describeProblem() {
      const problem = condition.problem() ?? journal.problem();
      return problem === undefined ? { ok: true } : { ok: false, code: problem.code, error: problem.message };
    }
    let memory = 0;
    function readMemory() {
      try {
        memory = process.memoryUsage.rss();
      } catch {
        // Node reads it from a file, for which there may be no handle: as it was last.
      }
      return memory;
    }
    function readUnread() {
      try {
        return views.inbox.totalOpen();
      } catch (error) {
        condition.explain(error);
        return null;
      }
    }
    const turns = createAttachedTurns(clock, config.presence.turn_silence);
    const feed = createFeed({ events, onCommitted });
    const traffic = createTraffic({
      feed,
      seqBefore: events.seqBefore,
      lastSeq: events.lastSeq,
      wall: clock.wall,
      onProblem: onError,
    });
    closing.add("traffic", traffic.close);
    const integrity = watchIntegrity(journal.checkPages, {
      isDamaged: () => condition.problem()?.code === "DATA_CORRUPT",
      wall: clock.wall,
    });
    const searches = createSeats(shown.searches, searchSeats);
    const membership = createMembership(paths);
    const peers = createPeerDesk({
      membership,
      config: config["agent-comms"],
      paths,
      views,
      execute,
      clock,
      log,
      version,
      createHub: (self) => createLinkHub({ self, views, limits, execute, onApplied, onCommitted, clock }),
    });
    ownId = () => peers.self()?.hubId;
    const doctor = createHubDoctor({
      // Seldom asked for, and not small: loaded when it is.
      examine: async (signal) =>
        (await import("./doctor/examine-hub.js")).examineHub({
          paths,
          url,
          views,
          peers,
          fabric: ports.fabric,
          details: ports.healthDetails,
          signal,
        }),
      wall: clock.wall,
      onError,
    });
    closing.add("doctor", doctor.close);
    const ports: HubPorts = {
      peers,
      fabric: createFabricDesk({ membership, peers, paths, execute, clock }),
      hosting: hosting.port,
      hooks: createHookDesk({
        views,
        obligations,
        inbox,
        now: journal.now,
        lastSeq: events.lastSeq,
        reofferAfterMs: limits.reofferAfterMs,
        style: config.envelope,
        newMark,
        turns,
        onTurnEnded: (agent) => endSaidTurn(agent, { roster: views.roster, execute, onError }),
      }),
      execute,
      views,
      obligations,
      inbox,
      mail,
      feed,
      presence,
      limits: shown,
      waits: createSeats(shown.waits, waitSeats),
      searches,
      now: journal.now,
      lastSeq: events.lastSeq,
      firstSeq: events.firstSeq,
      seqBefore: events.seqBefore,
      wall: clock.wall,
      pageAfter: events.pageAfter,
      search,
      threadOf: createThreadReader(lazy, views.messages),
      idEnds: { find: createIdEnds(lazy), caughtUp: lazy.caughtUp },
      mailOf: createMailOf(lazy),
      historyPlace: lazy.place,
      traffic,
      maintenance: createMaintenance(journal, [lazy, search], log),
      lastMessage: createLastMessage(lazy),
      health: () => ({
        ...describeProblem(),
        version,
        pid: process.pid,
        url,
        data: paths.data,
        started: new Date(started).toISOString(),
        agents: views.roster.count(),
        unread: readUnread(),
        readers: inbox.waiting() + http.readers.count(),
        totals: totals(),
        journal: { seq: events.lastSeq(), wal_bytes: journal.walBytes() },
        memory_bytes: readMemory(),
      }),
      healthDetails: createHealthDetails({
        config,
        paths,
        views,
        hosting: hosting.port,
        peers,
        searches,
        integrity,
        now: journal.now,
        wall: clock.wall,
        traffic,
        pageAfter: events.pageAfter,
        problem: () => describeProblem().error,
        journal: { ...events, walBytes: journal.walBytes, commitTimes: journal.commitTimes },
        readers: { waits: inbox.waiting, streams: () => http.readers.count() },
        places: { "lists and counts": lazy.place, search: search.place },
      }),
      doctor,
      logError: (error, what) => log.error({ err: error }, what),
      explain: condition.explain,
    };
    const http = createHttpSurface({
      ports,
      secrets: secrets(),
      deskFolder: deskFolder(),
      requestTimeoutMs: config.http.request_timeout,
      connections: config.http.connections,
    });
    // A credential that dies takes its open streams and waits along.
    onCommitted((committed) => {
      for (const event of committed) {
        // One that is to end does not go on waiting for mail.
        if (event.type === "ShutdownRequested") inbox.end(event.data.agent);
        if (event.type === "PresenceChanged" && isAway(event.data.status)) turns.ended(event.data.agent);
        if (event.type !== "AgentDeregistered") continue;
        presence.forget(event.data.agent);
        turns.ended(event.data.agent);
        http.readers.dropOwner(event.data.agent, "the agent has left");
        inbox.end(event.data.agent);
      }
    });
    const port = await http.listen(config.host, config.port);
    url = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
    closing.add("http", async () => {
      inbox.close();
      http.readers.dropAll("the hub is stopping");
      await http.close();
    });
    // Last in, first out: agents end while the hub still answers them.
    let isHurried = false;
    closing.add("agents", async () => {
      await stopNotice.announce(isHurried ? 0 : config.hosting.shutdown_within);
      for (const agent of views.roster.hosted()) if (!isBridged(agent)) inbox.end(agent.id);
      await hosting.end(isHurried ? "now" : "drain");
      await stopNotice.withdraw();
    });
    // With a full disk it is looked at again at the next start; agents at their budget stay where they are.
    await execute("reviewBudgets", {}).catch(onError);
    await hosting.begin();
    closing.add("links", peers.close);
    await peers.begin();
    closing.add("callbacks", await startCallbacks({ config, paths, views, execute, onCommitted, onError }));
    closing.add("loading", loadTheRest(http.desk, onError));
    closing.add(
      "handles",
      watchHandles(paths.data, (problem) => condition.pass("handles", problem)),
    );
    closing.add("check", checkLater(integrity.check, onError));
    return {
      url,
      close: closing.run,
      hurry() {
        isHurried = true;
        void hosting.end("now").catch(onError);
      },
    };
  } catch (error) {
    await closing.run();
    throw error;
  }
}
