import { realpathSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { allRoutes } from "../../src/contract/http/routes.js";
import { type OpenStream, openServerSentEvents, openWebSocket } from "../fakes/event-streams.js";
import { startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { tempFolder } from "../fakes/temp-folder.js";
import { tellHttp } from "../guard/tell-http.js";
import { tellMcp } from "../guard/tell-mcp.js";
import { createTranscript } from "../guard/transcript.js";

/*
 * What the hub answers, word for word. A change of these files is a change for everybody who speaks to a hub: they change with
 * the protocol, and with nothing else. `npx vitest run test/e2e/transcripts --update` rewrites them.
 */

const yard = createHubYard();
afterAll(() => yard.clear());

const set = ["presence.offline_after=24h"];

test("every route answers as it did, and both kinds of stream tell of it as they did", async () => {
  const project = realpathSync(tempFolder());
  const hub = await startHostingHub(yard, { set });
  const http = createTranscript([hub.home, project]);

  const { calls } = await tellHttp(hub, http, project);

  const routes = allRoutes.filter((route) => !isAmong(calls, route)).map(({ path }) => path);
  // What is installed on this machine and where its folders are differs: spawn-choices.test.ts and hub-doctor.test.ts have these.
  const ofThisMachine = ["/api/backends", "/api/folders", "/api/doctor", "/api/doctor"];
  // An invitation and a key are others each time: peers.test.ts and fabric.test.ts have them.
  const anotherEachTime = ["/api/peers/invite", "/api/fabric/request"];
  expect(routes.sort()).toEqual(
    [
      ...ofThisMachine,
      ...anotherEachTime,
      "/api/agent-socket",
      "/api/events",
      "/api/live",
      "/mcp",
      "/openapi.json",
    ].sort(),
  );
  await expect(http.text()).toMatchFileSnapshot("../guard/transcripts/http.txt");
  const [frames, sent] = [await framesOf(openWebSocket), await framesOf(openServerSentEvents)];
  await expect(frames).toMatchFileSnapshot("../guard/transcripts/websocket.txt");
  expect(sent).toBe(frames);
  await hub.stop();

  async function framesOf(open: OpenStream): Promise<string> {
    const stream = await open(hub.url, { token: hub.operator, query: "?after=0" });
    const { seq } = await stream.until(({ type }) => type === "ready");
    await stream.until((frame) => frame.type !== "ready" && frame.seq >= seq);
    stream.close();
    const transcript = createTranscript([hub.home, project]);
    for (const frame of stream.frames.filter(({ type }) => type !== "ping"))
      transcript.add(frame.type, frame);
    return transcript.text();
  }
});

test("the tools' protocol answers as it did", async () => {
  const hub = await yard.start({ set });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const ben = await registerAgent(hub.http, hub.join, { name: "ben" });
  const transcript = createTranscript([hub.home]);

  await tellMcp(hub, { ann, ben }, transcript);

  await expect(transcript.text()).toMatchFileSnapshot("../guard/transcripts/mcp.txt");
  await hub.stop();
});

function isAmong(calls: readonly string[], { method, path }: { method: string; path: string }): boolean {
  const pattern = new RegExp(`^${method} ${path.replace(/:[a-z]+/g, "[^/]+")}$`);
  return calls.some((call) => pattern.test(call));
}
