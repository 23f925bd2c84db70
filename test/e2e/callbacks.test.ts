import { createHmac } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openCallbackServer } from "../fakes/callback-server.js";
import { createHubYard } from "../fakes/hub-process.js";
import { memberAt, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
afterAll(() => yard.clear());

const SECRET = "a-secret-of-24-bytes-abc";

function homeWithPeer(port: number): string {
  const home = yard.home();
  writeFileSync(join(home, "comms"), `${SECRET}\n`);
  chmodSync(join(home, "comms"), 0o600);
  writeFileSync(
    join(home, "huddle.yaml"),
    `port: 0\nagent-comms:\n  enabled: true\n  secret: file:comms\n  host: 127.0.0.1\n  port: 0\n  peers: [{name: r2d2, host: 127.0.0.1, port: ${port}}]\n`,
  );
  return home;
}

test("an answer is POSTed to the callback URL of a peer, also after the hub was killed", async () => {
  // The first call is taken and never answered: the hub is killed in the middle of it.
  const peer = await openCallbackServer((response, call) => {
    if (call > 1) response.writeHead(204).end();
  });
  const home = homeWithPeer(peer.port);
  const first = await yard.start({ home });
  const ann = await registerAgent(first.http, first.join, { name: "ann" });
  const ben = await registerAgent(first.http, first.join, { name: "ben" });
  const callbackUrl = `http://127.0.0.1:${peer.port}/back`;
  expect((await ann.send("ben", "which port?", { id: "q-1", callbackUrl })).status).toBe(202);
  expect((await ben.send("ann", "9223", { id: "a-1", reply_to: "q-1" })).status).toBe(202);
  await peer.called(1);
  await first.kill();

  const second = await yard.start({ home });
  await peer.called(2);

  const [once, again] = peer.calls;
  expect(again?.body).toBe(once?.body);
  expect(JSON.parse(again?.body ?? "")).toMatchObject({
    from: "ben",
    text: "9223",
    messageId: "a-1",
    replyTo: "q-1",
  });
  const hmac = createHmac("sha256", SECRET)
    .update(again?.body ?? "")
    .digest("hex");
  expect(again?.headers["x-huddle-signature"]).toBe(`sha256=${hmac}`);
  expect(again?.headers.authorization).toBeUndefined();
  expect(await memberAt(second.http, ann).inbox()).toMatchObject([{ id: "a-1", content: "9223" }]);
});

test("a callback that may not be made is refused with 400 when the message is sent, and nothing is stored", async () => {
  const hub = await yard.start({ home: homeWithPeer(3847) });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });

  for (const field of ["callbackUrl", "callback_url"]) {
    const { status, json } = await ann.send("ben", "hello", { [field]: "http://169.254.169.254/latest" });
    expect({ status, code: json["code"], allowed: json["allowed"], delivered: json["delivered"] }).toEqual({
      status: 400,
      code: "CALLBACK_NOT_ALLOWED",
      allowed: ["http://127.0.0.1:3847/"],
      delivered: false,
    });
  }
  expect(await ben.inbox()).toEqual([]);
});

test("a peer that was added while the hub runs is called back like one that is written down", async () => {
  const peer = await openCallbackServer();
  const hub = await yard.start({ env: { MINI_SECRET: SECRET } });
  const person = (path: string, body: object) => hub.http.call("POST", path, { token: hub.operator, body });
  const place = { name: "mini", host: "127.0.0.1", port: peer.port, secret: "env:MINI_SECRET" };
  expect((await person("/api/peers", place)).status).toBe(201);
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });

  await ann.send("ben", "which port?", { id: "q-1", callbackUrl: `http://127.0.0.1:${peer.port}/back` });
  await ben.send("ann", "9223", { id: "a-1", reply_to: "q-1" });

  const signed = () => peer.calls.find(({ headers }) => headers["x-huddle-signature"] !== undefined);
  await patiently(() => expect(signed()).toBeDefined());
  const body = signed()?.body ?? "";
  const hmac = createHmac("sha256", SECRET).update(body).digest("hex");
  expect(signed()?.headers["x-huddle-signature"]).toBe(`sha256=${hmac}`);
  expect(JSON.parse(body)).toMatchObject({ from: "ben", text: "9223", replyTo: "q-1" });
});
