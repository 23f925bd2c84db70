import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";
import { readAdmission, writeAdmission } from "../../src/fabric/lines.js";
import type { HubProcess } from "./hub-process.js";
import { freePort } from "./hub-sides.js";
import { drainInbox, type Member } from "./member.js";
import { patiently } from "./patiently.js";
import { patientCli } from "./run-cli.js";
import { tempFolder } from "./temp-folder.js";

/* Hubs of a fabric as their users have them: by the command line. And what came, kept outside all of them. */

type Placed = { hub: Pick<HubProcess, "home"> };

export const as = ({ hub }: Placed) => ({ env: { HUDDLE_HOME: hub.home } });

/** What `huddle fabric init` makes. `folder`: one that goes when the test ends, unless given. */
export async function initFabric(
  options: readonly string[],
  folder = tempFolder(),
): Promise<{ folder: string; port: number }> {
  const port = await freePort();
  const made = await patientCli(
    ["fabric", "init", "--name=home", `--port=${port}`, `--folder=${folder}`, ...options],
    { env: { HUDDLE_HOME: folder } },
  );
  expect(made).toMatchObject({ code: 0, stderr: "" });
  return { folder, port };
}

type Letting = {
  more?: readonly string[];
  /** When the steward admits it. */
  now?: number;
  /** The only server of a cluster that it knows, instead of all. */
  server?: string;
};

/** As the guide has it: a pipe. Again for a hub that is in, it renews its admission. */
export async function letIn(
  side: Placed,
  folder: string,
  { more = [], now = Date.now(), server }: Letting = {},
): Promise<string> {
  const requested = await patientCli(["fabric", "request"], as(side));
  const admitted = await patientCli(["fabric", "admit", `--folder=${folder}`, ...more], {
    env: { HUDDLE_HOME: folder },
    stdin: requested.stdout,
    now,
  });
  const line = server === undefined ? admitted.stdout : atServer(admitted.stdout, server);
  const join = () => patientCli(["fabric", "join"], { ...as(side), stdin: line });
  let joined = await join();
  // It says how it went after eight seconds at the latest.
  if (joined.stdout.includes("not connected")) {
    await patiently(async () => expect(await fabricStatus(side)).toMatchObject({ code: 0 }));
    joined = await join();
  }
  expect(joined, `${requested.stderr} ${admitted.stderr} ${joined.stderr}`).toMatchObject({ code: 0 });
  return joined.stdout;
}

function atServer(line: string, host: string): string {
  const admission = readAdmission(line);
  return writeAdmission({
    ...admission,
    servers: admission.servers.filter((url) => url.includes(`//${host}:`)),
  });
}

export async function fabricStatus(side: Placed): Promise<{ code: number; stdout: string }> {
  return patientCli(["fabric", "status"], { ...as(side), columns: 200 });
}

const QUIET_MS = 1000;

/** What came to a reader, in the order it came. */
export function ledgerOf(reader: () => Member) {
  const got: { from: string; content: string }[] = [];
  const read = async () => {
    try {
      got.push(...(await drainInbox(reader())));
    } catch {
      // Its hub is just not there.
    }
  };
  /** All of it and nothing else, in that order; `from`: of one sender. */
  const expectAll = async (sent: readonly string[], from?: string) => {
    const ofSender = () =>
      got.filter((one) => from === undefined || one.from === from).map(({ content }) => content);
    await vi.waitUntil(
      async () => {
        await read();
        return ofSender().length >= sent.length;
      },
      { timeout: 240_000, interval: 100 },
    );
    // One that comes twice comes late.
    await sleep(QUIET_MS);
    await read();
    expect(ofSender()).toEqual(sent);
  };
  return { read, expectAll };
}

/** Each is accepted: from then on it must arrive. */
export async function sendMany(sender: Member, to: string, round: string, count: number): Promise<string[]> {
  const sent: string[] = [];
  for (let n = 0; n < count; n++) {
    const id = `${round}-${n}`;
    expect((await sender.send(to, id, { id })).status).toBe(202);
    sent.push(id);
  }
  return sent;
}
