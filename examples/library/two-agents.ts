// Two agents talk: one asks, the other answers.
import { connect } from "huddle";

const ana = await connect({ name: "ana" });
const ben = await connect({ name: "ben" });

// Answered once the message is in ben's inbox, on disk. A taken name gets a number, so ask for the one that ben got.
const receipt = await ana.send(ben.name, "Is the build green?");
console.log(`sent: ${receipt.state}`);

for await (const mail of ben.inbox()) {
  console.log(`${mail.from}: ${mail.content}`);
  await mail.reply("Yes, since this morning.");
  break;
}

for await (const mail of ana.inbox()) {
  console.log(`${mail.from}: ${mail.content}`);
  await mail.ack();
  break;
}

await Promise.all([ana.close(), ben.close()]);
