// Assigning a task: an orchestrator gives a prompt to an agent and waits for the result.
import { connect, HubError } from "huddle";

const lead = await connect({ name: "lead", role: "orchestrator" }); // Only the operator's token makes these.
const builder = await connect({ name: "builder" });

const { task_id } = await lead.tasks.assign({ agent: builder.name, prompt: "Count the files in src/" });

for await (const mail of builder.inbox()) {
  if (mail.task_id !== task_id) continue;
  await mail.reply("There are 42."); // The reply to a task is its result.
  break;
}

const task = await lead.tasks.result(task_id);
console.log(`${task.status}: ${task.output}`);

try {
  await builder.tasks.assign({ agent: lead.name, prompt: "Your turn" });
} catch (error) {
  if (!(error instanceof HubError)) throw error;
  console.log(`refused: ${error.code}`);
}

await Promise.all([lead.close(), builder.close()]);
