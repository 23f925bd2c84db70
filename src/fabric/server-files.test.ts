import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { freePort } from "../../test/fakes/free-port.js";
import { startServerIn } from "../../test/fakes/nats-server.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { ensureIdentity } from "../link/identity.js";
import { makeRequest, newConnectionSeed } from "./request.js";
import { SERVER_CONF } from "./server-files.js";
import { admitHub, initFabric } from "./steward.js";

/** As much of a compose file as a container of one server needs. */
const compose = z.strictObject({
  services: z.strictObject({
    nats: z.strictObject({
      image: z.string().regex(/^nats:\d+\.\d+-alpine$/),
      command: z.tuple([z.literal("-c"), z.string(), z.literal("--addr"), z.literal("0.0.0.0")]),
      working_dir: z.literal("/fabric"),
      volumes: z.tuple([z.literal("./:/fabric")]),
      ports: z.array(z.string()),
      restart: z.literal("unless-stopped"),
    }),
  }),
});

const readCompose = (folder: string) =>
  compose.parse(parse(readFileSync(join(folder, "compose.yaml"), "utf8"))).services.nats;

test("what compose.yaml runs in the folder that it mounts is a server, and listens where the port leads to", async () => {
  const folder = tempFolder();
  const port = await freePort();
  initFabric(folder, { name: "my home", hosts: ["127.0.0.1"], port }, Date.now());
  const { command, ports } = readCompose(folder);
  expect(ports).toEqual([`127.0.0.1:${port}:${port}`]);

  // Every address of a container is here another one of the loopback's.
  const args = command.slice(2).map((word) => (word === "0.0.0.0" ? "127.0.0.2" : word));
  const server = await startServerIn(folder, command[1], port, { args });

  expect(server.log()).toContain(`Listening for client connections on 127.0.0.2:${port}`);
});

test("a port that others call is opened to them, and of a cluster also that of its servers", () => {
  const [one, three] = [tempFolder(), tempFolder()];
  initFabric(one, { name: "home", hosts: ["fabric.example.org"], port: 4222 }, Date.now());
  expect(readCompose(one).ports).toEqual(["4222:4222"]);
  const hosts = ["a.example.org", "b.example.org", "c.example.org"];
  initFabric(three, { name: "home", hosts, port: 4222, cluster: { port: 6222 } }, Date.now());
  expect(readCompose(join(three, "server-2")).ports).toEqual(["4222:4222", "6222:6222"]);
});

test("a server of a cluster gets nothing by which hubs are admitted, and nobody else reads its key", () => {
  const folder = tempFolder();
  const hosts = ["a.example.org", "b.example.org", "c.example.org"];
  initFabric(folder, { name: "home", hosts, port: 4222, cluster: { port: 6222 } }, Date.now());
  const place = join(folder, "server-3");
  const conf = readFileSync(join(place, SERVER_CONF), "utf8");
  expect(conf).toContain('server_name: "home-3"');
  expect(conf).toContain('"nats-route://a.example.org:6222"');
  for (const secret of ["operator.seed", "hubs.seed", "stewards.seed", "ca.key"])
    expect(() => statSync(join(place, "keys", secret))).toThrow("ENOENT");
  expect(statSync(join(place, "keys", "server.key")).mode & 0o777).toBe(0o600);
});

test("a hub is told all servers of a cluster and how many keep the streams, and an admission renewed keeps its role", () => {
  const folder = tempFolder();
  const hosts = ["a.example.org", "b.example.org", "c.example.org"];
  initFabric(folder, { name: "home", hosts, port: 4222, cluster: { port: 6222 } }, Date.now());
  const request = makeRequest(ensureIdentity(join(tempFolder(), "hub.key")), "bmo", newConnectionSeed());
  const expected = { servers: hosts.map((host) => `tls://${host}:4222`), replicas: 3, steward: true };
  expect(admitHub(folder, request, { asSteward: true }, Date.now())).toMatchObject(expected);
  expect(admitHub(folder, request, { asSteward: false }, Date.now())).toMatchObject(expected);
});
