import { join } from "node:path";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { describe, onTestFinished } from "vitest";
import { answered, asked, sealHead } from "../../src/contract/link/fabric.js";
import { ackSubject, linkSubject, rpcSubject } from "../../src/fabric/subjects.js";
import { ensureIdentity, type Identity } from "../../src/link/identity.js";
import { createKnownHubs } from "../../src/link/known-hubs.js";
import type { Heard } from "../../src/link/link.js";
import { openFabric } from "../../src/link/nats/fabric.js";
import { createMembers } from "../../src/link/nats/members.js";
import { readSaid, writeSaid } from "../../src/link/nats/said.js";
import { createSealer } from "../../src/link/nats/seal.js";
import { systemTimers } from "../../src/link/timers.js";
import { systemClock } from "../../src/model/clock.js";
import { memberPeer, SHORT, startFabricHub, TIMING } from "../fakes/fabric-yard.js";
import { type NatsServer, startFabricServer, startNatsServer } from "../fakes/nats-server.js";
import { createScriptedLinkHub } from "../fakes/scripted-link-hub.js";
import { tempFolder } from "../fakes/temp-folder.js";
import { type LinkUnderTest, linkContract } from "./link.js";

const newIdentity = () => ensureIdentity(join(tempFolder(), "hub.key"));

/** A server that lets nobody in who does not show this. */
const USERS = 'authorization { users: [{ user: "hub", password: "right" }] }';

function natsLink(): LinkUnderTest {
  let server: Promise<NatsServer> | undefined;
  const own = () => (server ??= startFabricServer());
  return {
    async open(options) {
      server = undefined;
      const started = await own();
      // Over NATS the server is who asks for a secret.
      const refused = options !== undefined && "secret" in options;
      const r2d2 = await startFabricHub("r2d2", started);
      const identity = newIdentity();
      const heard: Heard[] = [];
      let asked = 0;
      const hub = createScriptedLinkHub("bmo", identity.id);
      const access = { servers: [refused ? await lockedServer() : started.url] };
      const fabric = openFabric(
        {
          identity,
          hub,
          known: createKnownHubs(),
          nextNumber: () => ++asked,
          routes: new Map(),
          onHeard: (_, one) => heard.push(one),
          onLateAck() {},
          onConnected() {},
          clock: systemClock,
          after: systemTimers,
          random: Math.random,
          log: { info() {}, warn() {} },
        },
        {
          access,
          isSteward: false,
          adopt: async () => {},
          timing: options?.isShort === true ? SHORT : TIMING,
        },
      );
      onTestFinished(() => fabric.close());
      // Connected, and the others know who it is; or it was refused.
      await fabric.tried;
      return { link: fabric.link, peer: memberPeer("r2d2", r2d2.identity), hub: r2d2.hub, heard };
    },
    async wrongPeer(how) {
      const identity = newIdentity();
      const peer = memberPeer(how === "absent" ? "ghost" : "wrong", identity);
      if (how === "absent") return peer;
      const connection = await (await own()).connect();
      onTestFinished(() => connection.close());
      await announce(connection, identity);
      answerWrongly(connection, identity, answers[how]);
      await connection.flush();
      return peer;
    },
    async otherKey() {
      const honest = newIdentity();
      const expected = newIdentity();
      const connection = await (await own()).connect();
      onTestFinished(() => connection.close());
      await announce(connection, expected);
      // Somebody else hears what is for it, and has not its key.
      answerAs(connection, { ...honest, id: expected.id });
      await connection.flush();
      return { peer: memberPeer("r2d2", expected), identity: honest };
    },
  };
}

/** Answers all that a hub is asked, in its name and without its key. */
function answerAs(connection: NatsConnection, impostor: Identity) {
  const sealer = createSealer(impostor);
  const answer = (kind: "answer" | "ack", message: Msg) => {
    const { origin, box } = sealHead.parse(JSON.parse(message.string().split("\n")[0] ?? ""));
    return sealer.seal(kind, { id: origin, box }, writeSaid(answered, { re: "any", status: 200 }, "{}"));
  };
  connection.subscribe(rpcSubject(impostor.id, "*"), {
    callback: (_, message) => void message.respond(answer("answer", message)),
  });
  connection.subscribe(linkSubject(impostor.id, "*"), {
    callback(_, message) {
      connection.publish(ackSubject(originIn(message), impostor.id), answer("ack", message));
    },
  });
}

async function lockedServer(): Promise<string> {
  return (await startNatsServer({ more: USERS })).url;
}

function announce(connection: NatsConnection, identity: Identity): Promise<void> {
  const sealer = createSealer(identity);
  const self = { name: "wrong" };
  return createMembers({ identity, sealer, self, clock: systemClock, answerMs: 1000, ignored() {} }).announce(
    connection,
  );
}

/** What a question gets: words of no meaning, or a sealed answer that says no. */
type Wrong = { raw: string; times?: number } | { status: number } | undefined;

const answers = {
  silent: undefined,
  garbage: { raw: "SSH-2.0-OpenSSH_9.2\r\n" },
  "breaks off": { raw: '{"v":1,"kind":"answer","origin":"' },
  "giant answer": { raw: "x".repeat(1_900_000) },
  "endless answer": { raw: "{\n", times: 500 },
  redirects: { status: 307 },
  fails: { status: 500 },
} as const satisfies Record<string, Wrong>;

function answerWrongly(connection: NatsConnection, identity: Identity, wrong: Wrong) {
  const sealer = createSealer(identity);
  const hear = (subject: string, kind: "ask" | "batch", reply: (message: Msg) => string | undefined) =>
    connection.subscribe(subject, {
      callback(_, message) {
        const to = reply(message);
        if (wrong === undefined || to === undefined) return;
        if ("raw" in wrong) {
          for (let nth = 0; nth < ("times" in wrong ? (wrong.times ?? 1) : 1); nth++)
            connection.publish(to, wrong.raw);
          return;
        }
        const opened = sealer.open(kind, originIn(message), message.data);
        const said = opened.kind === "opened" ? readSaid(asked, opened.content) : undefined;
        if (opened.kind !== "opened" || said === undefined)
          throw new Error("an honest question was not understood");
        const text = writeSaid(answered, { re: said.head.re, status: wrong.status }, "{}");
        connection.publish(to, sealer.seal(kind === "ask" ? "answer" : "ack", opened.sender, text));
      },
    });
  hear(rpcSubject(identity.id, "*"), "ask", ({ reply }) => reply);
  hear(linkSubject(identity.id, "*"), "batch", (message) => ackSubject(originIn(message), identity.id));
}

const originIn = ({ subject }: Msg) => subject.split(".").at(-1) ?? "";

describe("the link over NATS", () => linkContract(natsLink()));
