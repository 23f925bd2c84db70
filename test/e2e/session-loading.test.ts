import { afterEach, expect, test } from "vitest";
import { eventually, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard } from "../fakes/hub-process.js";

const yard = createHubYard();
afterEach(yard.clear);

test("a session that was unloaded is not active, and a POST to it loads it with what it knows", async () => {
  const hub = await startHostingHub(yard, { set: ["hosting.unload_after=1s"] });
  const ask = (method: string, path: string, body?: unknown) =>
    hub.http.call(method, path, { token: hub.operator, ...(body === undefined ? {} : { body }) });
  const created = await ask("POST", "/api/sessions", {
    cwd: yard.home(),
    backend: "scripted",
    initialMessage: "!say the word is heron",
  });
  const path = `/api/sessions/${String(created.json["sessionId"])}`;
  const stateWith = (last: string) =>
    eventually(async () => {
      const { json } = await ask("GET", `${path}/state`);
      return json["isActive"] === false && JSON.stringify(json["lastMessage"]).includes(last)
        ? json
        : undefined;
    }, `it is unloaded after "${last}"`);
  expect(await stateWith("the word is heron")).toMatchObject({ status: "idle" });

  await ask("POST", `${path}/messages`, { message: "!recall" });

  expect((await stateWith("!say the word is heron"))["lastMessage"]).toMatchObject({ role: "assistant" });
});
