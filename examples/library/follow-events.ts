// Following events: everything that an agent may see, in order, from any place on.
import { connect } from "huddle";

const watcher = await connect({ name: "watcher" });
const other = await connect({ name: "other" });

const events = watcher.events(); // From now on; { after: seq } goes on where a program stopped.
await other.send(watcher.name, "Look at me");

for await (const event of events) {
  console.log(`${event.type}${event.sessionId === watcher.id ? " (about me)" : ""}`);
  if (event.type === "MessageAccepted") break;
}

await Promise.all([watcher.close(), other.close()]);
