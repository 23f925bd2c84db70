import { expect, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { createConversationActivity } from "./conversation-activity.js";

const MINUTE = 60_000;

async function openTalk() {
  const hub = openTestHub();
  const [ann, ben, cat] = [await hub.register("ann"), await hub.register("ben"), await hub.register("cat")];
  const activity = createConversationActivity();
  let place = 0;
  const look = (since = 0) => {
    for (const event of hub.events.pageAfter(place, 1000)) {
      place = event.seq;
      if (event.type === "MessageAccepted") activity.count(event);
    }
    return activity.since(since);
  };
  return { hub, ann, ben, cat, look };
}

test("a conversation has all who take part and its newest message; the one that was written in last is first", async () => {
  const { hub, ann, ben, cat, look } = await openTalk();
  await hub.send(ann, ben, "one");
  await hub.inbox(ben);
  await hub.send(ben, cat, "two");
  const newest = hub.events.lastSeq();
  await hub.send(ann, cat, "another");

  const [second, first] = look();
  expect(first).toMatchObject({ participants: [ann, ben, cat], last: newest });
  expect(second).toMatchObject({ participants: [ann, cat] });
});

test("what is long ago is not told of", async () => {
  const { hub, ann, ben, look } = await openTalk();
  await hub.send(ann, ben, "one");
  hub.clock.advance(5 * MINUTE);
  await hub.send(ben, ann, "two");

  expect(look(hub.clock.wall() - MINUTE)).toHaveLength(1);
});
