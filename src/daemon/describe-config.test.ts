import { expect, test } from "vitest";
import { listKeys } from "./config-keys.js";
import { loadConfig } from "./config-load.js";
import { configSchema } from "./config-schema.js";
import { describeConfig } from "./describe-config.js";

const keys = listKeys(configSchema);

test("each key is shown as a person would write it, with where it comes from", () => {
  const overrides = ["http.request_timeout=90000ms", "events.buffer=65536", "port=0"];
  const { config, origins } = loadConfig({ file: "/nowhere/huddle.yaml", overrides });
  const rows = describeConfig(config, origins);
  expect(rows.map((row) => row.key)).toEqual(keys.map(({ key }) => key));
  expect(rows).toContainEqual({
    key: "http.request_timeout",
    value: "90s",
    origin: "--set",
    description: "How long a client may take to send its request; then 408 REQUEST_TIMEOUT.",
  });
  expect(rows).toContainEqual(
    expect.objectContaining({ key: "events.buffer", value: "64KiB", origin: "--set" }),
  );
  expect(rows).toContainEqual(expect.objectContaining({ key: "port", value: "0" }));
  expect(rows).toContainEqual(
    expect.objectContaining({ key: "log.level", value: "info", origin: "default" }),
  );
});

test("what is shown can be set again and means the same", () => {
  const { config, origins } = loadConfig({ file: "/nowhere/huddle.yaml" });
  const overrides = describeConfig(config, origins).map(({ key, value }) => `${key}=${value}`);
  expect(loadConfig({ file: "/nowhere/huddle.yaml", overrides }).config).toEqual(config);
});
