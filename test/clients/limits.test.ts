import { describe, expect, test } from "vitest";
import { createAcpRuntime } from "../../src/runtime/acp/acp-runtime.js";
import { createHeadlessRuntime } from "../../src/runtime/headless/headless-runtime.js";
import type { Launch } from "../../src/runtime/runtime.js";
import { startScriptedModel } from "../../src/selftest/scripted-model/scripted-model.js";
import { createRecordingHost } from "../fakes/runtime-host.js";
import { prepareLaunch } from "./prepare-launch.js";
import { describeVendor } from "./sets.js";

/*
 * The vendor's own service refuses the account (`<<limit SECONDS>>`), and the CLI says so in its words.
 */

const runtimes = [createAcpRuntime({ version: "0" }), createHeadlessRuntime()];
const SECONDS = 11_520;

/** claude tells subscribers of their limit; who pays by the request has none. */
function subscribed(launch: Launch): Launch {
  const { ANTHROPIC_API_KEY: _, ...env } = launch.env;
  return { ...launch, env: { ...env, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-dummy" } };
}

describeVendor((client) => {
  describe.each(runtimes.map((runtime) => ({ kind: runtime.kind, runtime })))(
    "$kind",
    ({ kind, runtime }) => {
      test("a usage limit is told as one, with its end where the CLI says so", async () => {
        const model = await startScriptedModel();
        const prepared = prepareLaunch(client, kind, model);
        const launch = client.name === "claude" ? subscribed(prepared) : prepared;
        const host = createRecordingHost();
        const agent = await runtime.start(launch, host);
        const from = Date.now();
        const text = `<<limit ${SECONDS}>>`;
        const end = await agent.prompt(
          { turn: "t1", text, line: text, tag: "MSG_X_00000000" },
          host.listener,
        );
        await agent.stop({ graceMs: 0 });
        await model.close();
        expect(end).toMatchObject({ stop: "error", limit: { words: expect.any(String) as unknown } });
        // gemini does not say when a daily quota begins again.
        if (client.name === "gemini") return;
        // Some say it to the minute, and some try for a while before they give up.
        const until = end.limit?.until ?? 0;
        expect(until - from).toBeGreaterThan((SECONDS - 60) * 1000);
        expect(until - from).toBeLessThan((SECONDS + 300) * 1000);
      });
    },
  );
});
