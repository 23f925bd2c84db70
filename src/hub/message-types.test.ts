import { expect, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";

test.each(["text", "status", "coordination", "pr-review"] as const)(
  "a message of the type %s reaches its reader as that",
  async (type) => {
    const hub = openTestHub();
    const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];

    await hub.send(ann, bob, "about the login", { type });

    expect((await hub.read(bob)).messages.map(({ message }) => message)).toMatchObject([
      { type, fromName: "ann", content: "about the login" },
    ]);
  },
);

test("a status never asks for a turn, whatever its sender wants", async () => {
  const hub = openTestHub();
  const [ann, bob] = [await hub.register("ann"), await hub.register("bob")];

  await hub.send(ann, bob, "idle", { type: "status", attention: "interrupt" });

  expect((await hub.read(bob)).messages[0]?.message.attention).toBe("fyi");
});
