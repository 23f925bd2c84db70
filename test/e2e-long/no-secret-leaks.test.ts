import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openCallbackServer } from "../fakes/callback-server.js";
import { openServerSentEvents, openWebSocket } from "../fakes/event-streams.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { sendRaw } from "../fakes/raw-socket.js";

const yard = createHubYard();
afterAll(() => yard.clear());

test("a token is in its own file and nowhere else: no log, process, database or answer", async () => {
  const hub = await yard.start({
    set: ["log.level=trace", "journal.wal_soft=64KiB", "journal.wal_cap=128KiB"],
  });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.operator, { name: "ben" });
  const gone = await registerAgent(hub.http, hub.join, { name: "gone" });
  const tickets: string[] = [];
  const answers: string[] = [];
  const note = ({ text }: { text: string }) => void answers.push(text);

  // Everything that handles a token, and everything that goes wrong while handling one.
  for (let n = 0; n < 100; n++) note(await ann.send("ben", `hello ${n}`));
  note(await ben.call("GET", "/api/inbox"));
  note(await hub.http.call("GET", "/api/health", { token: hub.operator }));
  note(await hub.http.call("GET", "/openapi.json", { token: hub.join }));
  note(await hub.http.call("GET", "/api/agents", { token: hub.operator }));
  note(await hub.http.call("GET", "/api/agents/ann", { token: hub.operator }));
  for (const token of [hub.operator, ann.token]) {
    tickets.push(String((await hub.http.call("POST", "/auth/ticket", { token })).json["ticket"]));
    for (const open of [openWebSocket, openServerSentEvents]) {
      const stream = await open(hub.url, { token, query: "?after=0" });
      await stream.until(({ seq, type }) => type !== "ready" && seq > 100);
      answers.push(JSON.stringify(stream.frames));
      stream.close();
    }
  }
  await openWebSocket(hub.url, { query: `?ticket=${tickets[0]}` }).then((stream) => stream.close());
  const desks: string[] = [];
  for (const token of [hub.operator, () => desks[1] ?? ""]) {
    const code = String(
      (await hub.http.call("POST", "/auth/code", { token: typeof token === "string" ? token : token() }))
        .json["code"],
    );
    const desk = String((await hub.http.call("POST", "/auth/exchange", { body: { code } })).json["token"]);
    note(await hub.http.call("POST", "/auth/exchange", { body: { code } }));
    note(await hub.http.call("GET", `/api/inbox?token=${desk}`, { token: desk }));
    note(await hub.http.call("GET", "/api/health", { token: `${desk}x` }));
    desks.push(code, desk);
  }
  note(await hub.http.call("GET", `/api/inbox?token=${ann.token}`, { token: ann.token }));
  note(await hub.http.call("GET", `/api/agents/${ann.token}`, { token: `${ann.token}x` }));
  note(await hub.http.call("POST", "/api/agents", { token: ann.token, body: "{bad" }));
  note(await hub.http.call("POST", "/api/agents", { token: hub.join, body: { role: "orchestrator" } }));
  note(
    await sendRaw(hub.port, [
      `GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ann.token}\r\nBad header\r\n\r\n`,
    ]),
  );
  note(await gone.call("DELETE", "/api/agents/gone"));
  note(await gone.call("GET", "/api/inbox"));
  const secrets = [hub.operator, hub.join, ann.token, ben.token, gone.token, ...tickets, ...desks];

  const processes = readProcesses(hub);
  const files = [...readFiles(hub.home)];
  const { stdout, stderr } = await hub.stop();
  files.push(...readFiles(hub.home));

  // The looking glass works: it finds what is known to be there.
  expect(files.some(({ bytes }) => bytes.includes("hello 99"))).toBe(true);
  expect(files.some(({ path, bytes }) => path.endsWith("hub.log") && bytes.length > 0)).toBe(true);
  expect(processes.some(({ bytes }) => bytes.includes("HUDDLE_HOME"))).toBe(true);

  const home = { token: hub.operator, join: hub.join };
  for (const { path, bytes } of [
    ...files,
    ...processes,
    { path: "stdout", bytes: Buffer.from(stdout + stderr) },
  ]) {
    const own =
      path === join(hub.home, "token") ? home.token : path === join(hub.home, "join") ? home.join : "";
    const found = secrets.filter((secret) => secret !== own && bytes.includes(secret));
    expect({ path, found }).toEqual({ path, found: [] });
  }
  // Only registering shows a token; nothing else in an answer begins like one, unless the caller wrote it there.
  const said = answers.join("\n").replaceAll(ann.token, "(what the caller wrote)");
  expect(said).not.toMatch(/hud_(operator|join|agent|desk)_/);
});

test("a secret that peers share is in its own file and nowhere else, whatever is done with it", async () => {
  const canary = `canary-${"c0ffee".repeat(6)}`;
  const peer = await openCallbackServer((response, call) => response.writeHead(call === 1 ? 204 : 500).end());
  const home = yard.home();
  const run = (argv: string[], input = "") => {
    const env = { PATH: process.env["PATH"] ?? "", HUDDLE_HOME: home };
    const program = resolve(process.env["HUDDLE_MAIN"] ?? join("dist", "main.js"));
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
      env,
      input,
      encoding: "utf8",
    });
    return stdout + stderr;
  };
  const said = [run(["secret", "set", "comms", "--store", "file"], canary)];
  const file = join(home, "secrets", "comms");
  writeFileSync(
    join(home, "huddle.yaml"),
    `port: 0\nagent-comms:\n  enabled: true\n  secret: file:secrets/comms\n  host: 127.0.0.1\n  port: 0\n  peers: [{name: r2d2, host: 127.0.0.1, port: ${peer.port}}]\n`,
  );
  const hub = await yard.start({ home, set: ["log.level=trace"] });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });
  const note = ({ text }: { text: string }) => void said.push(text);
  note(
    await ann.send("ben", "which port?", { id: "q-1", callbackUrl: `http://127.0.0.1:${peer.port}/back` }),
  );
  note(await ben.send("ann", "it is taken", { id: "a-1", reply_to: "q-1" }));
  await peer.called(1);
  note(await ben.send("ann", "it fails", { id: "a-2", reply_to: "q-1" }));
  await peer.called(2);
  // And where the secret cannot be read any more.
  chmodSync(file, 0o644);
  note(await ben.send("ann", "it cannot be signed", { id: "a-3", reply_to: "q-1" }));
  const stream = await openServerSentEvents(hub.url, { token: hub.operator, query: "?after=0" });
  await stream.until((frame) => JSON.stringify(frame).includes("chmod 600"));
  said.push(JSON.stringify(stream.frames));
  stream.close();
  for (const path of ["/api/health", "/api/health/details", "/api/messages"])
    note(await hub.http.call("GET", path, { token: hub.operator }));
  const misplaced = run(["config", "show", "--set", `agent-comms.secret=${canary}`]);
  said.push(
    misplaced,
    ...[
      ["config", "show"],
      ["config", "check"],
      ["secret", "list"],
      ["secret", "list", "--json"],
    ].map((argv) => run(argv)),
    run(["secret", "set", "comms", canary]),
  );

  const processes = readProcesses(hub);
  const files = [...readFiles(home)];
  const { stdout, stderr } = await hub.stop();
  files.push(...readFiles(home));

  // The looking glass works.
  expect(files.filter(({ path }) => path === file).map(({ bytes }) => bytes.includes(canary))).toEqual([
    true,
    true,
  ]);
  expect(files.some(({ path, bytes }) => path.includes("huddle.db") && bytes.includes("chmod 600"))).toBe(
    true,
  );
  expect(misplaced).toContain("must say where the secret is kept");
  for (const { path, bytes } of [
    ...files.filter(({ path }) => path !== file),
    ...processes,
    { path: "what the hub printed", bytes: Buffer.from(stdout + stderr) },
    { path: "what was answered", bytes: Buffer.from(said.join("\n")) },
    { path: "what the peer got", bytes: Buffer.from(JSON.stringify(peer.calls)) },
  ]) {
    expect({ path, leaks: bytes.includes(canary) }).toEqual({ path, leaks: false });
  }
});

test("every file is for its owner alone, whatever the umask says", async () => {
  const before = process.umask(0);
  let hub: HubProcess;
  try {
    hub = await yard.start({ home: join(yard.home(), "made", "by", "the-hub") });
  } finally {
    process.umask(before);
  }
  await registerAgent(hub.http, hub.join, { name: "ann" });

  const found = listAll(hub.home).flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : { path, stats };
  });

  for (const { path, stats } of found) {
    const wanted = stats.isDirectory() ? 0o700 : 0o600;
    expect({ path, mode: (stats.mode & 0o777).toString(8) }).toEqual({ path, mode: wanted.toString(8) });
  }
  expect(found.length).toBeGreaterThanOrEqual(9);
});

type Found = { path: string; bytes: Buffer };

/** Of every process that can be looked into, so of the hub's children too. */
function readProcesses(hub: HubProcess): Found[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const found = pids.flatMap((pid) =>
    ["cmdline", "environ"].flatMap((file) => {
      const path = `/proc/${pid}/${file}`;
      try {
        return { path, bytes: readFileSync(path) };
      } catch {
        return []; // It ended, or is not ours to read.
      }
    }),
  );
  if (!found.some(({ path }) => path === `/proc/${hub.pid}/environ`))
    throw new Error("cannot look into the hub");
  return found;
}

/** What a running hub renames meanwhile is read under its new name, at the latest when the hub has stopped. */
function readFiles(folder: string): Found[] {
  return listAll(folder).flatMap((path) => {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
    try {
      return { path, bytes: readFileSync(path) };
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  });
}

function listAll(folder: string): string[] {
  const below = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return [folder, ...below];
}
