import { expect } from "vitest";
import { freePort } from "./free-port.js";
import type { HubProcess, HubYard } from "./hub-process.js";
import { type Member, registerAgent } from "./member.js";
import { cli } from "./run-cli.js";

/** A hub that has a peer listener on loopback, at the same port after a restart. */
export type Side = { hub: HubProcess; name: string; port: number };

export { freePort };

export const linked = (name: string, port: number) => [
  "agent-comms.host=127.0.0.1",
  `agent-comms.port=${port}`,
  `agent-comms.name=${name}`,
];

export const askSide = ({ hub }: Side, method: string, path: string, body?: object) =>
  hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });

/** As a person does it: one line, pasted at the other. */
export async function pairSides(one: Side, other: Side): Promise<void> {
  const invited = await cli(["peers", "invite"], { env: { HUDDLE_HOME: one.hub.home } });
  expect(invited).toMatchObject({ code: 0, stderr: "" });
  const line = invited.stdout.split("\n")[0] ?? "";
  const joined = await cli(["peers", "join", line], { env: { HUDDLE_HOME: other.hub.home } });
  expect(joined).toMatchObject({ code: 0, stderr: "" });
}

export function createSides(yard: HubYard) {
  async function startSide(name: string, set: readonly string[] = []): Promise<Side> {
    const port = await freePort();
    return { hub: await yard.start({ set: [...linked(name, port), ...set] }), name, port };
  }
  return {
    startSide,
    async startAgain(side: Side): Promise<Side> {
      return { ...side, hub: await yard.start({ home: side.hub.home, set: linked(side.name, side.port) }) };
    },
    async pairOfHubs(): Promise<{ bmo: Side; r2d2: Side; ann: Member; bob: Member }> {
      const [bmo, r2d2] = await Promise.all([startSide("bmo"), startSide("r2d2")]);
      await pairSides(bmo, r2d2);
      const ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
      const bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "bob" });
      return { bmo, r2d2, ann, bob };
    },
  };
}
