// npm run conformance: the official conformance suite and the inspector's command line against a hub of ours.
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createHubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { suites } from "./baseline.js";
import { startBearerProxy } from "./bearer-proxy.js";
import { inspect } from "./inspect.js";
import { runSuite } from "./run-suite.js";

const yard = createHubYard();
try {
  process.exitCode = await main();
} finally {
  await yard.clear();
}

async function main(): Promise<number> {
  const hub = await yard.start({ set: ["presence.offline_after=24h"] });
  const { token } = await registerAgent(hub.http, hub.join, { name: "ann" });
  const proxy = await startBearerProxy(hub.port, token);
  const problems: string[] = [];
  try {
    for (const suite of suites) {
      const { passed, differences } = await runSuite(suite, proxy.url(""));
      const known = Object.values(suite.expected).flat().length;
      console.log(
        `conformance ${suite.version}: ${passed} checks passed, ${known} do not apply (test/conformance/baseline.ts)`,
      );
      problems.push(...differences);
    }
    const header = `Authorization: Bearer ${token}`;
    const http = [`${hub.url}/mcp`, "--transport", "http", "--header", header];
    problems.push(...(await inspect("HTTP", http, "ann")));
    console.log("inspector over HTTP: listed the tools and called one");
    const bridge = resolve("dist", "mcp-bridge.cjs");
    if (existsSync(bridge)) {
      const identity = join(hub.home, "ann.json");
      writeFileSync(identity, JSON.stringify({ url: hub.url, name: "ann", token }), { mode: 0o600 });
      problems.push(...(await inspect("stdio", [process.execPath, bridge, "--identity", identity], "ann")));
      console.log("inspector over stdio: listed the tools and called one");
    }
  } finally {
    proxy.close();
  }
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}
