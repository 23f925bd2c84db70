import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { scriptedHeadlessLaunch } from "../../../../test/fakes/scripted-launch.js";
import { tempFolder } from "../../../../test/fakes/temp-folder.js";
import { readSession, sessionPlugin } from "./own-session.js";

type Plugin = { HuddleSession(): Promise<{ event(input: { event: unknown }): Promise<void> }> };

function prepared() {
  const folder = tempFolder();
  const plugins = join(folder, "opencode", "node_modules", "@opencode-ai", "plugin");
  const launch = { ...scriptedHeadlessLaunch(), folder, env: { XDG_CONFIG_HOME: folder } };
  return { folder, launch, plugins };
}

test("opencode that would first have to install something gets no plug-in", () => {
  expect(sessionPlugin(prepared().launch)).toBeUndefined();
});

test("the plug-in keeps the session that was worked in last, and none of a subagent", async () => {
  const { folder, launch, plugins } = prepared();
  mkdirSync(plugins, { recursive: true });
  writeFileSync(join(plugins, "package.json"), "{}");
  const plugin = sessionPlugin(launch);
  writeFileSync(plugin?.path ?? "", plugin?.text ?? "");
  const loaded = (await import(pathToFileURL(plugin?.path ?? "").href)) as Plugin;
  const { event } = await loaded.HuddleSession();
  const tell = (type: string, properties: object) => event({ event: { type, properties } });

  expect(await readSession(folder)).toBeUndefined();
  await tell("session.created", { sessionID: "ses_one", info: { id: "ses_one" } });
  expect(await readSession(folder)).toBe("ses_one");
  await tell("session.created", { sessionID: "ses_child", info: { id: "ses_child", parentID: "ses_one" } });
  await tell("session.status", { sessionID: "ses_child", status: { type: "busy" } });
  expect(await readSession(folder)).toBe("ses_one");
  await tell("session.status", { sessionID: "ses_two", status: { type: "busy" } });
  await tell("session.status", { sessionID: "ses_one", status: { type: "idle" } });
  expect(await readSession(folder)).toBe("ses_two");
});
