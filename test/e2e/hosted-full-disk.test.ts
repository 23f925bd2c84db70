import { existsSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, processesOf, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { mountSmallDisk, type SmallDisk } from "../fakes/small-disk.js";

/* Agents of a hub whose disk is really full: what happens to them meanwhile is journalled once there is room. */

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

const SIZE = 32 * 1024 * 1024;
/** Less than what the hub keeps free. */
const LEFT = 200 * 1024;

function fill(disk: SmallDisk) {
  const { bavail, bsize } = statfsSync(disk.folder);
  return disk.addBallast(Math.max(0, bavail * bsize - LEFT));
}

async function send(hub: HubProcess, name: string, message: string) {
  const { status, json } = await hub.http.call("POST", `/api/agents/${name}/messages`, {
    token: hub.operator,
    body: { message },
  });
  return { status, id: String(json["message_id"]) };
}

test("a turn that ends is over once there is room, and the person can kill an agent meanwhile", async ({
  skip,
}) => {
  const disk = mountSmallDisk(SIZE);
  if (typeof disk === "string") return skip(disk);
  try {
    const hub = await startHostingHub(yard, { home: join(disk.folder, "home") });
    const project = yard.home();
    await spawnAgent(hub, { name: "ann", project });
    const bob = await spawnAgent(hub, { name: "bob", project });
    const done = join(project, "done");
    const full = join(project, "full");
    const turn = await send(hub, "ann", `!say working !gate ${full} !write ${done}`);
    await reaches(hub, turn.id, "seen");
    const ballast = fill(disk);
    expect((await send(hub, "ann", "too much")).status).toBe(507);

    const killed = await hub.http.call("POST", "/api/agents/bob/kill", { token: hub.operator });
    expect(killed).toMatchObject({ status: 200, json: { killed: true } });
    expect(processesOf(bob.id)).toEqual([]);
    writeFileSync(full, "");
    await eventually(async () => existsSync(done) || undefined, "the turn's last act");
    expect((await send(hub, "ann", "still too much")).status).toBe(507);
    ballast.remove();

    await reaches(hub, turn.id, "finished");
    await reaches(hub, (await send(hub, "ann", "!say next")).id, "finished");
    await eventually(async () => {
      const { status } = await hub.http.call("GET", "/api/agents/bob", { token: hub.operator });
      return status === 410 || undefined;
    }, "bob is gone");
  } finally {
    await yard.clear();
    disk.unmount();
  }
});
