import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readStat } from "../../src/runtime/process/group-lives.js";
import { hubSocket, tmux } from "../fakes/scripted-pane.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { settled } from "./hosted-mail.js";
import { openHouse } from "./house.js";
import { shared } from "./shared.js";

/*
 * A real codex that stands still, as on a machine that swaps: its pane keeps its process and its mail, and goes on. tmux wakes
 * the first process of a pane when it is stopped, so those below it are.
 */

const open = shared(async (onClose) => {
  const house = await openHouse([codex], ["tmux.timeout_secs=5", "tmux.ready_timeout_secs=30"]);
  onClose(house.close);
  const ann = await house.member("ann");
  const bob = await house.spawn(codex, "tmux", { name: "bob" });
  const socket = hubSocket(house.hub().home);
  const pid = () => Number(tmux(socket, "display-message", "-p", "-t", "=agent-main-bob:", "#{pane_pid}"));
  return { house, ann, bob, pid };
});

function signalBelow(leader: number, pids: readonly number[], signal: "SIGSTOP" | "SIGCONT"): number {
  const below = pids.filter(
    (pid) => pid !== leader && readStat(readFileSync(`/proc/${pid}/stat`, "latin1")).group === leader,
  );
  for (const pid of below) process.kill(pid, signal);
  return below.length;
}

test.each([3, 40])(
  "codex that stands still for %s s keeps its process and takes its mail once",
  async (seconds) => {
    const { house, ann, pid } = await open();
    const before = pid();
    const pids = house.processes().map((one) => one.pid);
    expect(signalBelow(before, pids, "SIGSTOP")).toBeGreaterThan(0);
    const sent = await ann.send("bob", `<<say back after ${seconds}>>`);
    const id = String(sent.json["message_id"]);
    await sleep(seconds * 1000);
    const mail = (await ann.inbox()) as readonly { content: string }[];
    const told = mail.map(({ content }) => content).filter((content) => content.includes(id));
    // The time that was: two attempts of 5 s, and whatever the machine took besides.
    if (seconds === 3) expect(told).toEqual([]);
    else expect(told).toEqual([expect.stringMatching(/waits: its pane did not take it within \d\d s\. /)]);
    signalBelow(before, pids, "SIGCONT");

    expect((await settled(house, ann, id)).state).toBe("finished");
    expect(pid()).toBe(before);
    const tag = `MSG_ANN_${id.replaceAll("-", "").slice(-8)}`;
    expect(house.model.requests.timesShown(tag)).toBe(1);
    await eventually("it rests", async () => {
      const { json: agent } = await house
        .hub()
        .http.call("GET", "/api/agents/bob", { token: house.hub().operator });
      return agent["state"] === "idle" || undefined;
    });
  },
);
