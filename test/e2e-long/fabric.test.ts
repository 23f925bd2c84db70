import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVER_CONF } from "../../src/fabric/server-files.js";
import { createHubYard } from "../fakes/hub-process.js";
import { askSide, createSides, freePort, linked, pairSides, type Side } from "../fakes/hub-sides.js";
import { as, fabricStatus, initFabric, ledgerOf, letIn, sendMany } from "../fakes/hubs-on-fabric.js";
import { type Member, memberAt, registerAgent } from "../fakes/member.js";
import { type NatsServer, startServerIn } from "../fakes/nats-server.js";
import { PATIENCE_MS } from "../fakes/patience.js";
import { patiently } from "../fakes/patiently.js";
import { cli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* Hubs that reach each other only through a server, as their users have them: real processes, a real nats-server, the command line. */

/** How often each fault comes; more of them in the soak. */
const CYCLES = Number(process.env["HUDDLE_FABRIC_CYCLES"] ?? 3);

const yard = createHubYard();
afterAll(() => yard.clear());
const { startSide, startAgain } = createSides(yard);

const makeFabric = (folder?: string) => initFabric(["--host=127.0.0.1"], folder);
const toBob = (sender: Member, round: string, count: number) => sendMany(sender, "bob@r2d2", round, count);

async function stateOf(sender: Member, id: string): Promise<string> {
  const { json } = await sender.receipt(id);
  return String((json["deliveries"] as { state: string }[])[0]?.state);
}

/** After a fault the links wait before they try again. */
const comesTo = (sender: Member, id: string | undefined, state: RegExp) =>
  patiently(async () => expect(await stateOf(sender, id ?? "none")).toMatch(state), 3 * PATIENCE_MS);

describe("two hubs that were never on a fabric", () => {
  let bmo: Side;
  let r2d2: Side;
  beforeAll(async () => {
    [bmo, r2d2] = await Promise.all([startSide("bmo"), startSide("r2d2")]);
  });

  test("what is wrong is refused with what to do: lines mixed up, of others, or cut off, and an admission for another hub", async () => {
    const { folder } = await makeFabric();
    const request = (await cli(["fabric", "request"], as(bmo))).stdout;
    const admission = (await cli(["fabric", "admit", `--folder=${folder}`], { stdin: request })).stdout;
    const refused = async (...[args, world]: Parameters<typeof cli>) => {
      const { code, stderr } = await cli(args, world);
      return `${code} ${stderr.split("\n")[0]}`;
    };

    expect(await refused(["fabric", "admit", admission, `--folder=${folder}`])).toContain(
      "2 ✗ This is not a request",
    );
    expect(await refused(["fabric", "admit", request.slice(0, 200), `--folder=${folder}`])).toContain(
      "paste all of it",
    );
    expect(await refused(["fabric", "join", request], as(bmo))).toContain("2 ✗ This is not an admission");
    expect(await refused(["fabric", "join", admission], as(r2d2))).toContain(
      "This admission is for another hub",
    );
    expect(await refused(["fabric", "leave"], as(r2d2))).toContain("4 ✗ This hub has joined no fabric");
    expect(await refused(["fabric", "revoke", "nobody", `--folder=${folder}`])).toContain(
      '4 ✗ No hub "nobody" is admitted',
    );
    // No server runs: the hub has joined, and goes on trying.
    const joined = await cli(["fabric", "join", admission], as(bmo));
    expect(joined.code).toBe(1);
    expect(joined.stdout).toContain("cannot be reached (ECONNREFUSED)");
    expect(await cli(["fabric", "leave"], as(bmo))).toMatchObject({ code: 0 });
  });

  test("the guide, followed: a fabric is made and run, two hubs join by a pipe, find each other, and write", async () => {
    const { folder, port } = await makeFabric();
    const up = spawn(process.execPath, ["dist/main.js", "fabric", "up", `--folder=${folder}`], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(up, "exit");
    let said = "";
    up.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    try {
      await patiently(() => expect(said).toContain(`The fabric home runs on port ${port}`));
      expect(await letIn(bmo, folder, { more: ["--steward"] })).toMatch(
        /^✓ On the fabric home as a steward: connected/,
      );
      await letIn(r2d2, folder);
      const ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
      const bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "bob" });
      await patiently(async () =>
        expect((await ann.send("bob@r2d2", "Hello", { id: "hello" })).status).toBe(202),
      );
      expect(await bob.inbox("?wait=120")).toMatchObject([
        { from: "ann@bmo", content: "Hello", trust: "peer" },
      ]);
      await comesTo(ann, "hello", /^injected$/);
      await bob.send("ann@bmo", "Hello back", { reply_to: "hello" });
      expect(await ann.inbox("?wait=120")).toMatchObject([{ from: "bob@r2d2", content: "Hello back" }]);

      await patiently(async () =>
        expect((await cli(["fabric", "status"], as(bmo))).stdout).toMatch(
          /^r2d2 +yes +(\d+s ago|just now) +0 /m,
        ),
      );
      const revoked = await cli(["fabric", "revoke", "r2d2", `--folder=${folder}`]);
      expect(revoked.code).toBe(0);
      await patiently(async () => {
        const shutOut = await cli(["fabric", "status"], as(r2d2));
        expect(shutOut.code).toBe(1);
        expect(shutOut.stdout).toContain("the server does not let this hub in: its admission was revoked");
      });
      const left = await cli(["fabric", "leave"], as(bmo));
      expect(left.stdout).toContain("This hub left the fabric home; linked no more: r2d2");
    } finally {
      up.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
      // Its server is gone with it.
      await expect(startServerIn(folder, SERVER_CONF, port)).resolves.toMatchObject({ port });
    }
  });
});

describe("two hubs on a fabric that know nothing else of each other", () => {
  let folder: string;
  let server: NatsServer;
  let bmo: Side;
  let r2d2: Side;
  let ann: Member;
  let bob: Member;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const made = await makeFabric(yard.home());
    folder = made.folder;
    server = await startServerIn(folder, SERVER_CONF, made.port, { onEnd: (end) => ends.push(end) });
    [bmo, r2d2] = await Promise.all([startSide("bmo"), startSide("r2d2")]);
    await letIn(bmo, folder, { more: ["--steward"] });
    await letIn(r2d2, folder);
    ann = await registerAgent(bmo.hub.http, bmo.hub.join, { name: "ann" });
    bob = await registerAgent(r2d2.hub.http, r2d2.hub.join, { name: "bob" });
    await patiently(async () =>
      expect((await cli(["peers"], as(bmo))).stdout).toMatch(/^r2d2 +hub +fabric +yes /m),
    );
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  async function startBmo() {
    bmo = await startAgain(bmo);
    ann = memberAt(bmo.hub.http, ann);
  }
  async function startR2d2() {
    r2d2 = await startAgain(r2d2);
    bob = memberAt(r2d2.hub.http, bob);
  }

  test("hubs that are never there together exchange mail", async () => {
    const ledger = ledgerOf(() => bob);
    await r2d2.hub.stop();
    // Nothing was said to it since: it is asked.
    await patiently(async () => expect((await fabricStatus(bmo)).stdout).toMatch(/^r2d2 +no /m));
    const sent = await toBob(ann, "away", 1);
    await patiently(async () =>
      expect((await cli(["peers"], as(bmo))).stdout).toContain("it waits on the fabric"),
    );
    await bmo.hub.stop();

    await startR2d2();
    await ledger.expectAll(sent);
    await r2d2.hub.stop();

    await startBmo();
    // That it was read may have left the other hub before that stopped, or not.
    await comesTo(ann, "away-0", /^(injected|seen)$/);
    await startR2d2();
  });

  test("the server is cut, killed and robbed of its store under load, and hubs are killed: nothing is lost, nothing comes twice, and the order holds", async () => {
    const ledger = ledgerOf(() => bob);
    const sent: string[] = [];
    const faults = [
      async () => server.freeze(),
      () => server.kill(),
      async () => {
        await server.kill();
        server.wipe();
      },
      async () => {
        await r2d2.hub.kill();
        await startR2d2();
      },
      async () => {
        await bmo.hub.kill();
        await startBmo();
      },
    ];
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      for (const [nth, fault] of faults.entries()) {
        sent.push(...(await toBob(ann, `c${cycle}f${nth}a`, 8)));
        await ledger.read();
        await fault();
        sent.push(...(await toBob(ann, `c${cycle}f${nth}b`, 8)));
        if (nth === 0) server.thaw();
        if (nth === 1 || nth === 2) await server.start();
      }
    }
    await ledger.expectAll(sent);
    await comesTo(ann, sent.at(-1), /^seen$/);
  });

  test("a hub that was restored from a copy: as a sender it loses nothing, as a receiver it is told what it lacks", async () => {
    const ledger = ledgerOf(() => bob);
    const before = await toBob(ann, "before", 5);
    await ledger.expectAll(before);
    const copies = { bmo: join(tempFolder(), "bmo"), r2d2: join(tempFolder(), "r2d2") };
    await bmo.hub.stop();
    cpSync(bmo.hub.home, copies.bmo, { recursive: true });
    await startBmo();
    const lost = await toBob(ann, "forgotten", 5);
    await ledger.expectAll([...before, ...lost]);

    await restore(bmo, copies.bmo);
    await startBmo();
    const after = await toBob(ann, "after", 5);
    await ledger.expectAll([...before, ...lost, ...after]);

    await r2d2.hub.stop();
    cpSync(r2d2.hub.home, copies.r2d2, { recursive: true });
    await startR2d2();
    const unread = await toBob(ann, "unread", 5);
    await comesTo(ann, unread.at(-1), /^injected$/);
    await restore(r2d2, copies.r2d2);
    await startR2d2();
    const last = await toBob(ann, "last", 3);
    await ledger.expectAll([...before, ...lost, ...after, ...last]);
    const told = await cli(["inbox"], as(r2d2));
    expect(told.stdout).toContain("Mail from bmo is missing");

    async function restore({ hub }: Side, copy: string) {
      await hub.kill();
      rmSync(hub.home, { recursive: true });
      cpSync(copy, hub.home, { recursive: true });
    }
  });

  test("an admission that ends soon is told in time, one that ended is told, and both are renewed: mail that waited goes", async () => {
    const ledger = ledgerOf(() => bob);
    const daysAgo = (days: number) => Date.now() - days * 24 * 60 * 60_000;
    const renew = "huddle fabric request | ssh STEWARD huddle fabric admit | huddle fabric join";

    expect(await letIn(bmo, folder, { now: daysAgo(80) })).toMatch(
      /^✓ .* as a steward: connected .*\n! This hub's admission to the fabric ends on [\d-]+, in (9|10) days\n {2}Renew it: huddle fabric request \|/,
    );
    await askSide(bmo, "POST", "/api/doctor");
    await patiently(async () => {
      const { json } = await askSide(bmo, "GET", "/api/doctor");
      const fabric = { check: "fabric", state: "problem", fix: renew };
      expect(json).toMatchObject({
        result: { findings: expect.arrayContaining([expect.objectContaining(fabric)]) as unknown },
      });
    });

    const request = (await cli(["fabric", "request"], as(bmo))).stdout;
    const ended = await cli(["fabric", "admit", `--folder=${folder}`], { stdin: request, now: daysAgo(91) });
    const joined = await cli(["fabric", "join"], { ...as(bmo), stdin: ended.stdout });
    expect(joined).toMatchObject({ code: 1 });
    expect(joined.stdout).toMatch(/not connected .*\n! This hub's admission to the fabric ended on [\d-]+\n/);
    expect(joined.stdout).toContain(`Renew it: ${renew}`);
    const sent = await toBob(ann, "late", 3);

    expect(await letIn(bmo, folder)).toMatch(/^✓ .* as a steward: connected/);

    await ledger.expectAll(sent);
    expect((await cli(["fabric", "status"], as(bmo))).stdout).not.toContain("Renew it");
  });

  test("two data folders with one key are started at once: one of them serves, and the status of the other says so", async () => {
    await r2d2.hub.stop();
    const home = join(yard.home(), "copy");
    cpSync(r2d2.hub.home, home, { recursive: true });
    const set = linked("r2d2", await freePort());
    const [hub] = await Promise.all([yard.start({ home, set }), startR2d2()]);
    const statuses = () => Promise.all([r2d2, { hub }].map(fabricStatus));
    await patiently(async () => {
      const said = await statuses();
      expect(said.map(({ code }) => String(code)).sort()).toEqual(["0", "1"]);
      expect(said.find(({ code }) => code === 1)?.stdout).toContain(
        "another hub on the fabric has this hub's key",
      );
    });
    expect((await cli(["peers", "ping", "r2d2"], as(bmo))).code).toBe(0);

    await hub.stop();
    await patiently(async () => expect((await fabricStatus(r2d2)).code).toBe(0));
    const ledger = ledgerOf(() => bob);
    await ledger.expectAll(await toBob(ann, "alone", 3));
  });

  test("a hub that was paired is reached over the fabric when it no longer answers at its address, and mail comes once", async () => {
    await cli(["peers", "rm", "r2d2"], as(bmo));
    await cli(["peers", "rm", "bmo"], as(r2d2));
    await pairSides(bmo, r2d2);
    const ledger = ledgerOf(() => bob);
    const near = await toBob(ann, "near", 10);
    await ledger.expectAll(near);

    // Its address is another one now, and nobody was told.
    await r2d2.hub.kill();
    const waiting = await toBob(ann, "moved", 10);
    const hub = await yard.start({ home: r2d2.hub.home, set: linked("r2d2", await freePort()) });
    r2d2 = { ...r2d2, hub };
    bob = memberAt(r2d2.hub.http, bob);
    const far = await toBob(ann, "far", 10);

    await ledger.expectAll([...near, ...waiting, ...far]);
  });
});
