import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { ensureIdentity } from "../identity.js";
import { createSealer } from "./seal.js";

const newHub = () => {
  const identity = ensureIdentity(join(tempFolder(), "hub.key"));
  const sealer = createSealer(identity);
  return { identity, sealer, address: { id: identity.id, box: sealer.own.box } };
};

function threeHubs() {
  const [ann, bob, eve] = [newHub(), newHub(), newHub()];
  const sealed = ann.sealer.seal("batch", bob.address, "for bob alone");
  return { ann, bob, eve, sealed };
}

test("what is sealed to a hub is opened by that hub, and says who sealed it", () => {
  const { ann, bob, sealed } = threeHubs();
  const opened = bob.sealer.open("batch", ann.identity.id, sealed);
  expect(opened).toMatchObject({ kind: "opened", sender: ann.address });
  expect(opened.kind === "opened" && opened.content.toString()).toBe("for bob alone");
  expect(sealed.toString("latin1")).not.toContain("for bob alone");
});

test("its sender can open it too, to see what lies in a mailbox", () => {
  const { ann, bob, sealed } = threeHubs();
  expect(ann.sealer.openOwn("batch", bob.address, sealed)?.toString()).toBe("for bob alone");
  expect(ann.sealer.openOwn("ask", bob.address, sealed)).toBeUndefined();
});

test("nobody else opens it, and nobody takes it for something else", () => {
  const { ann, bob, eve, sealed } = threeHubs();
  expect(eve.sealer.open("batch", ann.identity.id, sealed).kind).toBe("forged");
  expect(bob.sealer.open("batch", eve.identity.id, sealed).kind).toBe("forged");
  expect(bob.sealer.open("ask", ann.identity.id, sealed).kind).toBe("garbage");
  // Sent back to its sender, as if the receiver had sealed it.
  expect(ann.sealer.open("batch", bob.identity.id, sealed).kind).toBe("forged");
});

test("a byte that was changed anywhere makes it worthless", () => {
  const { ann, bob, sealed } = threeHubs();
  for (const at of [10, 120, 300, sealed.length - 40, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(bob.sealer.open("batch", ann.identity.id, changed).kind).not.toBe("opened");
  }
});

test("a hub that puts its own keys under another's name is not believed", () => {
  const { ann, bob, eve } = threeHubs();
  const posing = createSealer({ ...eve.identity, id: ann.identity.id });
  const sealed = posing.seal("batch", bob.address, "it is me, ann");
  expect(bob.sealer.open("batch", ann.identity.id, sealed)).toMatchObject({ kind: "forged" });
});

test.each([
  ["nothing", ""],
  ["a word", "garbage"],
  ["a line that never ends", "x".repeat(5000)],
  ["JSON of another kind", '{"v":1}\n0123456789012345678901234567890123456789'],
])("%s is garbage", (_, text) => {
  const { ann, bob } = threeHubs();
  expect(bob.sealer.open("batch", ann.identity.id, Buffer.from(text))).toEqual({ kind: "garbage" });
});
