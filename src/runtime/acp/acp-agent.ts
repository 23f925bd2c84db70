import { setTimeout as sleep } from "node:timers/promises";
import { type ClientConnection, client, RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import { quoteLine } from "../../model/others-words.js";
import { openProjectFiles } from "../fs/project-files.js";
import type { AgentProcess } from "../process/spawn-agent.js";
import { createTextTail } from "../process/text-tail.js";
import { type AgentHost, type HostedAgent, type Launch, RuntimeError } from "../runtime.js";
import type { AcpWiring } from "../vendors/vendor.js";
import { withLimit } from "../vendors/with-limit.js";
import { type AcpTurn, createTurn } from "./acp-turn.js";
import { createPermissionAnswers } from "./answer-permissions.js";
import { createMessageStream } from "./message-stream.js";
import { openSession } from "./open-session.js";
import { notificationSchema, readUpdate, type ToolFacts, type Update } from "./read-update.js";
import { serveFiles } from "./serve-files.js";

/*
 * One agent over one connection. It is
 *   opening   until the session is there; updates are then replayed history;
 *   idle      between turns;
 *   in a turn `turn` is set, and at most one is: from `prompt` to the agent's answer to it;
 *   ended     once the connection or the process is gone, or `stop` was called. Nothing leads out of it.
 */

const replayLimit = 256 * 1024;
const mostTools = 1000;
/** gemini replays the history only after it has answered that the session is loaded. */
const lateReplay = { quietMs: 500, atMostMs: 10_000 };

type AcpSetting = { launch: Launch; host: AgentHost; version: string; wiring: AcpWiring };

export async function runAcpAgent(
  agentProcess: AgentProcess,
  { launch, host, version, wiring }: AcpSetting,
): Promise<HostedAgent> {
  const tools = new Map<string, ToolFacts>();
  const permissions = createPermissionAnswers(host, (id) => tools.get(id), wiring.ownTools);
  const replayed = createTextTail(replayLimit);
  let session: string | undefined;
  let turn: AcpTurn | undefined;
  let replayedAt = 0;
  let sessionUsd = 0;
  let stopping = false;

  const stream = createMessageStream(agentProcess, {
    update(params) {
      const notification = notificationSchema.parse(params);
      if (session !== undefined && notification.sessionId !== session) return;
      const update = readUpdate(notification.update, (id) => tools.get(id));
      if (update === undefined) return;
      if (session === undefined) replay(update);
      else take(update);
    },
    written(method) {
      if (method === "session/prompt") turn?.taken();
    },
  });

  function replay(update: Update): void {
    replayedAt = performance.now();
    if (update.kind === "replayed") replayed.add(update.text);
    else if (update.kind === "output" && update.part.kind === "text") replayed.add(update.part.text);
    else if (update.kind === "usage") sessionUsd = update.sessionUsd ?? sessionUsd;
  }

  function take(update: Update): void {
    switch (update.kind) {
      case "replayed":
        return;
      case "usage": {
        if (update.context !== undefined) turn?.filled(update.context);
        if (update.sessionUsd === undefined) return;
        const usage = { costUsd: Math.max(0, update.sessionUsd - sessionUsd) };
        sessionUsd = update.sessionUsd;
        turn?.spent(usage.costUsd, sessionUsd);
        host.output({ kind: "usage", usage });
        return;
      }
      case "tool":
        if (tools.size < mostTools) tools.set(update.id, update.facts);
        break;
      case "output":
        break;
    }
    turn?.add(update.part);
    host.output(update.part);
  }

  /** Otherwise old words would be taken for an answer to the first prompt. */
  async function replayEnds(): Promise<void> {
    const from = performance.now();
    for (let leftMs = lateReplay.quietMs; leftMs > 0; ) {
      await sleep(leftMs);
      const now = performance.now();
      if (now > from + lateReplay.atMostMs) return;
      leftMs = Math.ceil(Math.max(from, replayedAt) + lateReplay.quietMs - now);
    }
  }

  const connection = connect(await openProjectFiles(launch.cwd));
  function connect(files: Awaited<ReturnType<typeof openProjectFiles>>): ClientConnection {
    const app = client({ name: "huddle" }).onRequest(
      "session/request_permission",
      z.unknown(),
      async ({ params, signal }) => {
        turn?.responds();
        return permissions.ask(params, signal);
      },
    );
    return serveFiles(app, files, launch.backend.permissions).connect(stream);
  }

  // An agent that closed its output can be asked nothing more, whether its process lives or not.
  const gone = connection.closed.then(async () => {
    permissions.cancel();
    const reason: unknown = connection.signal.reason;
    if (reason instanceof RuntimeError) agentProcess.note(`${reason.message}\n`);
    await agentProcess.stop({ graceMs: stopping ? 5000 : 1000 });
    return agentProcess.ended;
  });
  void agentProcess.ended.then(() => connection.close());

  async function exitError(what: string): Promise<RuntimeError> {
    const report = await gone;
    const { code, signal, stderr } = report;
    const end = signal === null ? `with code ${code}` : `by ${signal}`;
    return new RuntimeError("AGENT_EXITED", `${launch.backend.name} ended ${end} ${what}.`, {
      code,
      signal,
      stderr,
    });
  }

  const opened = await openSession(connection.agent, { launch, version, wiring }).catch(
    async (error: unknown) => {
      if (connection.signal.aborted) throw await exitError("while it started");
      throw describe(error, launch);
    },
  );
  if (opened.resumed && replayed.read() === "") await replayEnds();
  session = opened.id;
  host.session(opened.id);
  void gone.then((report) => {
    if (!stopping) host.exited(report);
  });

  let preface = opened.resumed ? undefined : wiring.preface;
  return {
    resumed: opened.resumed,
    pid: agentProcess.pid,
    replayed: replayed.read(),
    async prompt({ text }, listener) {
      if (connection.signal.aborted || stopping) throw await exitError("before it was given the prompt");
      if (turn !== undefined)
        throw new RuntimeError("NOT_TAKEN", "The agent is in a turn; one prompt at a time.");
      const mine = createTurn(listener);
      turn = mine;
      tools.clear();
      permissions.reopen();
      try {
        const answer: unknown = await connection.agent.request("session/prompt", {
          sessionId: opened.id,
          prompt: [preface, text]
            .filter((part) => part !== undefined)
            .map((part) => ({ type: "text" as const, text: part })),
        });
        preface = undefined;
        const end = mine.end(answer);
        const isForgotten = end.stop === "cancelled" && wiring.forgetsCancelled === true;
        return isForgotten ? { ...end, kept: false } : end;
      } catch (error) {
        if (connection.signal.aborted) throw await exitError("during a turn");
        const failed = mine.fail(error instanceof RequestError ? sentenceOf(error) : String(error));
        return withLimit(failed, launch.backend);
      } finally {
        permissions.cancel();
        turn = undefined;
      }
    },
    async interrupt() {
      if (turn === undefined || connection.signal.aborted) return;
      turn.cancel();
      permissions.cancel();
      await connection.agent.notify("session/cancel", { sessionId: opened.id }).catch(() => {});
    },
    async stop({ graceMs }) {
      stopping = true;
      permissions.cancel();
      await agentProcess.stop({ graceMs });
      connection.close();
      await gone;
    },
  };
}

function describe(error: unknown, { backend }: Launch): unknown {
  if (!(error instanceof RequestError)) return error;
  return new RuntimeError(
    "BACKEND_FAILED",
    `${backend.name} refused to start: "${quoteLine(sentenceOf(error))}"`,
    {
      rpc: error.code,
    },
  );
}

const detail = z.looseObject({ details: z.string().optional(), message: z.string().optional() });

/** Agents put the sentence that matters into the data of an "Internal error". */
function sentenceOf(error: RequestError): string {
  const { details, message } = detail.safeParse(error.data).data ?? {};
  return [error.message, details ?? message].filter((part) => part !== undefined && part !== "").join(": ");
}
