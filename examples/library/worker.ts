// A worker that claims requests: whoever is first does the work.
import { connect } from "huddle";

const worker = await connect({ name: "worker" });
const asker = await connect({ name: "asker" });

const { request_id } = await asker.requests.open("Which port does the API listen on?");

for await (const mail of worker.inbox()) {
  if (mail.type !== "request" || mail.request_id === undefined) continue;
  const { claimed } = await worker.requests.claim(mail.request_id);
  if (!claimed) continue; // Another one was faster: that is no error.
  await worker.requests.answer(mail.request_id, "8080, see config/api.yaml");
  break;
}

for await (const mail of asker.inbox()) {
  const isAnswer = mail.request_id === request_id && mail.notice === undefined;
  if (!isAnswer) continue; // Such as the notice that somebody claimed it.
  console.log(`answer: ${mail.content}`);
  await mail.ack();
  break;
}

await Promise.all([worker.close(), asker.close()]);
