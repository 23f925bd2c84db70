import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RuntimeKind } from "../../../src/model/hosting.js";
import type { Client, ClientWorld } from "../../clients/client.js";
import { installedProgram } from "../../clients/installed.js";
import type { BenchHub, Lab } from "../lab.js";

/* The same CLI under a hub, as a person would have it: on PATH, with its own configuration in the person's home. */

type Hosted = {
  /** Resolves when the message was accepted. */
  send(text: string): Promise<void>;
  idle(): Promise<void>;
  kill(): Promise<void>;
};

export type Office = { hub: BenchHub; spawn(kind: RuntimeKind, message?: string): Promise<Hosted> };

export async function openOffice(lab: Lab, client: Client, world: ClientWorld): Promise<Office> {
  const home = lab.folder();
  const args = client.hostedArgs === undefined ? {} : { args: client.hostedArgs };
  const backends = { [client.backend]: { env: client.acp(world).env, ...args } };
  writeFileSync(join(home, "huddle.yaml"), JSON.stringify({ backends, allowed_roots: [world.home] }));
  const programs = client.programs.map((name) => dirname(installedProgram(name)));
  const env = {
    PATH: [...programs, process.env["PATH"] ?? ""].join(delimiter),
    HOME: world.home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
  };
  const hub = await lab.hub({ home, env });
  const ask = (method: string, path: string, body?: object) =>
    hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });
  let count = 0;
  return {
    hub,
    async spawn(runtime, message) {
      count += 1;
      const name = `worker-${count}`;
      const first = message === undefined ? {} : { message };
      const body = { backend: client.backend, runtime, project: world.cwd, name, ...first };
      const answer = await ask("POST", "/api/agents/spawn", body);
      if (answer.status !== 201) throw new Error(`not spawned: ${answer.status} ${answer.text}`);
      return {
        async send(text) {
          const sent = await ask("POST", `/api/agents/${name}/messages`, { message: text });
          if (sent.status !== 202) throw new Error(`not sent: ${sent.status} ${sent.text}`);
        },
        async idle() {
          for (;;) {
            const { json } = await ask("GET", `/api/agents/${name}`);
            if (json["state"] === "idle") return;
            await sleep(20);
          }
        },
        async kill() {
          await ask("POST", `/api/agents/${name}/kill`);
        },
      };
    },
  };
}
