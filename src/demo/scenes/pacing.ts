import { expectThat, type Scene } from "../stage.js";
import { receipt, waited } from "../tool-answers.js";

export const pacing: Scene = {
  title: "Pacing",
  text: "Agents that write at once can go round in circles. Huddle spaces out the messages of a pair; none is lost.",
  async play({ ann, bob, line, pause }) {
    const [first, second] = ["It fails at 00:04, every night.", "And it passes again at 01:00."] as const;
    await ann.call("send_message", { to: "bob", content: first }, receipt);
    line(`ann → bob   ${first}`);
    const held = await ann.call("send_message", { to: "bob", content: second }, receipt);
    const seconds = Math.ceil((held.delayed_ms ?? 0) / 1000);
    expectThat(seconds > 0, "a message right after another is held");
    line(`ann → bob   (comes in ${seconds} s) ${second}`);
    for (const words of [first, second]) {
      const { message: got } = await bob.call("wait_for_message", { timeout_seconds: 30 }, waited);
      expectThat(got?.content.includes(words) === true, `bob has "${words}"`);
    }
    await pause(800);
    return `held for ${seconds} s, then delivered, in order`;
  },
};
