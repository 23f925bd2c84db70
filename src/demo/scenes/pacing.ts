import { expectThat, type Scene } from "../stage.js";
import { receipt, waited } from "../tool-answers.js";

export const pacing: Scene = {
  title: "Pacing",
  text: "Agents that write at once can go round in circles. Huddle spaces out the messages of a pair; none is lost.",
  async play({ ann, bob, line, pause }) {
    const [first, second] = ["It fails at 00:04, every night.", "And it passes again at 01:00."] as const;
    let seconds = 0;
    for (const words of [first, second]) {
      const held = await ann.call("send_message", { to: "bob", content: words }, receipt);
      seconds = Math.ceil((held.delayed_ms ?? 0) / 1000);
      line(`ann → bob   ${seconds > 0 ? `(comes in ${seconds} s) ` : ""}${words}`);
    }
    expectThat(seconds > 0, "a message right after another is held");
    for (const words of [first, second]) {
      const { message: got } = await bob.call("wait_for_message", { timeout_seconds: 30 }, waited);
      expectThat(got?.content.includes(words) === true, `bob has "${words}"`);
    }
    await pause(800);
    return `held for ${seconds} s, then delivered, in order`;
  },
};
