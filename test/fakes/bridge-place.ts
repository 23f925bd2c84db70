import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type BridgeOptions, type BridgeProcess, startBridge } from "./bridge-process.js";
import { type McpScript, type ScriptedMcp, scriptedMcp } from "./scripted-mcp.js";

export type BridgePlace = {
  home: string;
  /** The project that bridges are started in. */
  shop: string;
  hub: ScriptedMcp;
  start(options?: BridgeOptions): BridgeProcess;
  pointTo(url: string): void;
  /** The files of kept identities. */
  kept(): string[];
};

/** A home whose hub.json leads to a scripted hub, and the bridges of one test. */
export async function placeBridges(script: McpScript = () => ({})): Promise<BridgePlace> {
  const home = mkdtempSync(join(tmpdir(), "huddle-bridge-"));
  writeFileSync(join(home, "join"), "hud_join_test\n", { mode: 0o600 });
  const shop = join(home, "Shop");
  mkdirSync(shop);
  const hub = await scriptedMcp(script);
  // The pid is ours: it lives, so nobody starts another hub.
  const pointTo = (url: string) =>
    writeFileSync(join(home, "hub.json"), JSON.stringify({ url, pid: process.pid }));
  pointTo(hub.url);
  const started: BridgeProcess[] = [];
  onTestFinished(async () => {
    await Promise.all(started.map((bridge) => bridge.kill()));
    rmSync(home, { recursive: true, force: true });
  });
  return {
    home,
    shop,
    hub,
    start(options = {}) {
      const bridge = startBridge({ cwd: shop, ...options, env: { HUDDLE_HOME: home, ...options.env } });
      started.push(bridge);
      return bridge;
    },
    pointTo,
    kept: () => readdirSync(join(home, "bridges")),
  };
}
