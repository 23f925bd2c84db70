import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StreamCount } from "../../src/fabric/link-streams.js";
import { makeRequest, newConnectionSeed } from "../../src/fabric/request.js";
import { findNatsServer } from "../../src/fabric/run-server.js";
import { SERVER_CONF } from "../../src/fabric/server-files.js";
import { admitHub, initFabric } from "../../src/fabric/steward.js";
import { ensureIdentity } from "../../src/link/identity.js";
import { freePort } from "../fakes/hub-sides.js";
import type { Endpoint } from "./children/link-endpoints.js";
import type { Lab } from "./lab.js";
import { within } from "./within.js";

/** A fabric as `huddle fabric init` makes it, with its server: accounts, permissions and certificates. */
export type BenchServer = {
  pid: number;
  /** The first one makes the streams, so it has to come before the others. */
  admit(name: string): Endpoint;
};

const START_MS = 10_000;

/** `streams`: over how many the mailboxes are spread, where it is not as usual. */
export async function startServer(lab: Lab, streams?: StreamCount): Promise<BenchServer> {
  const folder = lab.folder();
  const port = await freePort();
  const wanted = streams === undefined ? {} : { streams };
  initFabric(folder, { name: "bench", hosts: ["127.0.0.1"], port, ...wanted }, Date.now());
  const program = findNatsServer(process.env["PATH"], folder);
  const child = spawn(program, ["-c", SERVER_CONF], { cwd: folder, stdio: "ignore" });
  lab.onClose(async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  await within(START_MS, "starting nats-server", listening(port));
  let isFirst = true;
  return {
    pid: child.pid ?? 0,
    admit(name) {
      const isSteward = isFirst;
      isFirst = false;
      const keyFile = join(folder, `${name}.key`);
      const seed = newConnectionSeed();
      const request = makeRequest(ensureIdentity(keyFile), name, seed);
      const admission = admitHub(folder, request, { asSteward: isSteward }, Date.now());
      const { servers, ca, jwt, streams: count } = admission;
      return {
        name,
        keyFile,
        fabric: { access: { servers, ca, user: { jwt, seed } }, isSteward, streams: { count } },
      };
    },
  };
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await sleep(20);
    } finally {
      socket.destroy();
    }
  }
}
