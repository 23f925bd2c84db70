import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { attachPerson } from "../../../test/fakes/attached-person.js";
import { beforeEnter } from "../../../test/fakes/before-enter.js";
import { PATIENCE_MS } from "../../../test/fakes/patience.js";
import { openChoicePane, openPane, type TestPane, testSocket } from "../../../test/fakes/scripted-pane.js";
import type { Dialog } from "./dialog.js";
import { look } from "./pane.js";
import { pressOption } from "./press-option.js";

/* A person at the pane presses a key of their own between our look at a dialog and the key that answers it. */

const timeout = 300_000;

async function openDialog(agent: TestPane, key: string) {
  agent.keys(key);
  const read = async () => {
    const { reading } = await look(agent.pane);
    return reading.state === "dialog" ? reading.asks : undefined;
  };
  await expect.poll(read, { timeout: PATIENCE_MS }).toBeDefined();
  const dialog = (await read()) as Dialog;
  const person = await attachPerson({
    desk: testSocket(),
    socket: agent.pane.tmux.socket ?? "",
    session: "agent-main-test",
  });
  await sleep(2000);
  const option = (grants: string) => {
    const found = dialog.options.find((one) => one.grants === grants);
    if (found === undefined) throw new Error(`nothing grants ${grants}`);
    return found;
  };
  return { dialog, person, option };
}

/** Before the nth key of ours theirs has reached the CLI. */
function whilePressing(agent: TestPane, type: () => void, isThere: () => boolean, nth = 1) {
  return beforeEnter(
    agent.pane,
    async () => {
      type();
      await expect.poll(isThere, { timeout: PATIENCE_MS }).toBe(true);
    },
    nth,
  );
}

test("answered there in that moment: our key does not land in the box that follows", {
  timeout,
}, async () => {
  const agent = await openPane("claude");
  const { dialog, person, option } = await openDialog(agent, "F6");
  const pane = whilePressing(
    agent,
    () => person.keys("2"),
    () => agent.answered().length === 1,
  );
  expect(await pressOption(pane, dialog, option("once"))).toBe("gone");
  expect(agent.answered()).toEqual(["2"]);
  expect((await look(agent.pane)).reading.state).toBe("ready");
});

test("the choice moved in that moment: it is moved back, and only what was meant is confirmed", {
  timeout,
}, async () => {
  const agent = await openChoicePane();
  const { dialog, person, option } = await openDialog(agent, "F6");
  const isMoved = () => agent.tmux("capture-pane", "-p", "-e").includes("\x1b[1mYes, and always");
  const pane = whilePressing(agent, () => person.keys("Down"), isMoved);
  expect(await pressOption(pane, dialog, option("once"))).toBe("done");
  expect(agent.answered()).toEqual(["Yes, allow"]);
});

test("a choice is moved by as many keys as it takes", { timeout }, async () => {
  const agent = await openChoicePane();
  const { dialog, option } = await openDialog(agent, "F6");
  expect(await pressOption(agent.pane, dialog, option("deny"))).toBe("done");
  expect(agent.answered()).toEqual(["No, cancel"]);
});
