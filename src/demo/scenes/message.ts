import { expectThat, type Scene } from "../stage.js";
import { receipt, status, waited } from "../tool-answers.js";

export const message: Scene = {
  title: "Message",
  text: "ann asks, bob waits for mail and answers. A message is on disk before its sender hears that it was accepted.",
  async play({ ann, bob, line, pause }) {
    const asked = "Does the login test pass on your side?";
    const arrives = bob.call("wait_for_message", { timeout_seconds: 20 }, waited);
    // Ctrl-C ends both calls, and that of ann is the one that says so.
    arrives.catch(() => {});
    const { message_id } = await ann.call("send_message", { to: "bob", content: asked }, receipt);
    line(`ann → bob   ${asked}`);
    const { message: got } = await arrives;
    expectThat(got?.id === message_id && got.content.includes(asked), "bob has the message of ann");
    await pause(1500);

    const answer = "Only before midnight.";
    const back = { to: "ann", content: answer, reply_to: message_id };
    await bob.call("send_message", back, receipt);
    line(`bob → ann   ${answer}`);
    const { message: reply } = await ann.call("wait_for_message", { timeout_seconds: 20 }, waited);
    expectThat(reply?.content.includes(answer) === true, "ann has the answer of bob");
    const { deliveries } = await ann.call("message_status", { message_id }, status);
    const [delivery] = deliveries;
    expectThat(delivery?.state === "answered", "ann's receipt says that bob has answered");
    await pause(1500);
    return "ann's receipt says: answered by bob";
  },
};
