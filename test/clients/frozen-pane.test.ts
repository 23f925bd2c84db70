import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { signalProcess } from "../fakes/hub-process.js";
import { living } from "../fakes/runtime-host.js";
import { hubSocket, tmux } from "../fakes/scripted-pane.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { settled } from "./hosted-mail.js";
import { openHouse } from "./house.js";
import { belowOf } from "./processes.js";
import { wholeMatrix } from "./sets.js";
import { shared } from "./shared.js";
import { openStory } from "./story.js";

/*
 * A real codex that stands still, as on a machine that swaps: its pane keeps its process and its mail, and goes on. tmux wakes
 * the first process of a pane when it is stopped, so those below it are.
 */

const open = shared(async (onClose) => {
  const house = await openHouse([codex], ["tmux.timeout_secs=15", "tmux.ready_timeout_secs=30"]);
  onClose(house.close);
  const ann = await house.member("ann");
  const bob = await house.spawn(codex, "tmux", { name: "bob" });
  const socket = hubSocket(house.hub().home);
  const pid = () => Number(tmux(socket, "display-message", "-p", "-t", "=agent-main-bob:", "#{pane_pid}"));
  return { house, ann, bob, pid };
});

/** The shorter is within the longer, but for what is not told of it; that is in `hung-pane`, with a scripted agent. */
test.each(wholeMatrix ? [3, 40] : [40])(
  "codex that stands still for %s s keeps its process and takes its mail once",
  async (seconds) => {
    const { house, ann, pid } = await open();
    const story = await openStory(house);
    const before = pid();
    const below = belowOf(before);
    for (const pid of below) signalProcess(pid, "SIGSTOP");
    expect(living(below)).not.toEqual([]);
    const sent = await ann.send("bob", `<<say back after ${seconds}>>`);
    const id = String(sent.json["message_id"]);
    await sleep(seconds * 1000);
    const told = async () => {
      const mail: { content: string }[] = await ann.inbox();
      return mail.map(({ content }) => content).filter((content) => content.includes(id));
    };
    if (seconds === 3) expect(await told()).toEqual([]);
    else {
      const words = await eventually("ann is told", async () =>
        (await told()).length > 0 ? told() : undefined,
      );
      // The time that was: two attempts of 15 s, and whatever the machine took besides.
      expect(words).toEqual([expect.stringMatching(/waits: its pane did not take it within \d+ s\. /)]);
    }
    for (const pid of below) signalProcess(pid, "SIGCONT");

    expect((await settled(house, ann, id)).state).toBe("finished");
    expect(pid(), story()).toBe(before);
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
