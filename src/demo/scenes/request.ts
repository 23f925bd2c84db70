import { expectThat, type Scene } from "../stage.js";
import { claim, opened, receipt, waited } from "../tool-answers.js";

export const request: Scene = {
  title: "Request",
  text: "cleo asks everybody for help. Two want to claim the request; one gets it.",
  async play({ ann, bob, cleo, line, pause }) {
    const description = "Find out which code reads the real clock.";
    const { request_id } = await cleo.call("request_task", { description, timeout_seconds: 60 }, opened);
    line(`cleo → all  ${description}`);
    await pause(1200);
    const claims = await Promise.all(
      [ann, bob].map((agent) => agent.call("claim_request", { request_id }, claim)),
    );
    const [first, second] = claims;
    expectThat(first?.claimed !== second?.claimed, "exactly one of ann and bob has the request");
    const [winner, other] = first?.claimed === true ? [ann, bob] : [bob, ann];
    line(`${winner.name} claims it; ${other.name} is told that ${winner.name} has it`);
    await pause(1200);
    const content = "session.ts, line 41.";
    await winner.call("send_message", { to: "cleo", content, reply_to: request_id }, receipt);
    line(`${`${winner.name} → cleo`.padEnd(11)} ${content}`);
    const wait = { request_id, timeout_seconds: 20 };
    const { message: got } = await cleo.call("wait_for_message", wait, waited);
    expectThat(got?.content.includes(content) === true, "cleo has the answer to the request");
    await pause(1000);
    return "one winner, and the answer is with cleo";
  },
};
