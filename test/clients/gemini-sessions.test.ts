import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { shownTexts } from "../fakes/scripted-model/conversation.js";
import { say } from "../fakes/scripted-model/step.js";
import { gemini } from "./gemini.js";
import { openHouse } from "./house.js";

test("gemini has its history after a second restart of the hub, too", async () => {
  const house = await openHouse([gemini]);
  const { requests } = house.model;
  house.model.on(/./, [say("noted")]);
  const shownWith = async (text: string) => {
    const { conversation } = await requests.waitFor(text, (one) =>
      shownTexts(one.conversation).some((shown) => shown.includes(text)),
    );
    return shownTexts(conversation).join("\n");
  };
  const peer = await house.member("peer");
  await house.spawn(gemini, "acp", {});
  await peer.send("worker", "remember the bittern");
  await shownWith("remember the bittern");
  // It cannot load a session in the minute in which that was made.
  await sleep(61_000);

  for (const text of ["go on", "go on once more"]) {
    await house.restart("SIGTERM");
    await house.again(peer).send("worker", text);
    expect(await shownWith(text)).toContain("remember the bittern");
  }
});
