import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { ensureIdentity } from "../link/identity.js";
import { ALPHABET } from "./fingerprint.js";
import {
  describeStreams,
  linkStreamOf,
  linkStreams,
  readDescription,
  STREAM_COUNTS,
  streamsOf,
} from "./link-streams.js";
import { makeRequest, newConnectionSeed } from "./request.js";
import { admitHub, initFabric, readFabric } from "./steward.js";
import { linkSubject } from "./subjects.js";

test.each(STREAM_COUNTS)("with %i streams each mailbox is in one, which everybody names alike", (count) => {
  const streams = linkStreams(count);
  expect(new Set(streams.map(({ name }) => name)).size).toBe(count);
  for (const letter of ALPHABET) {
    const hub = letter.repeat(32);
    const subject = linkSubject(hub, "x".repeat(32));
    const hearing = streams.filter(({ subjects }) => subjects.some((one) => covers(one, subject)));
    expect(hearing.map(({ name }) => name)).toEqual([linkStreamOf(hub, count)]);
  }
  expect(readDescription(describeStreams(count).description)).toBe(count);
});

function covers(pattern: string, subject: string): boolean {
  const words = subject.split(".");
  const wanted = pattern.split(".");
  return wanted.length === words.length && wanted.every((word, n) => word === "*" || word === words[n]);
}

test.each([undefined, "", "Mailboxes are in 3 streams", "of somebody else"])(
  "registers that say %j are of a fabric with one",
  (description) => expect(readDescription(description)).toBe(1),
);

const request = () => makeRequest(ensureIdentity(join(tempFolder(), "hub.key")), "bmo", newConnectionSeed());

test("one server has sixteen streams and a cluster four, unless said otherwise; stewards are told, other hubs learn it from the server", () => {
  const [one, three, chosen] = [tempFolder(), tempFolder(), tempFolder()];
  const fabric = { name: "home", hosts: ["a.example.org"], port: 4222 };
  expect(initFabric(one, fabric, Date.now()).streams).toBe(16);
  const hosts = ["a.example.org", "b.example.org", "c.example.org"];
  expect(initFabric(three, { ...fabric, hosts, cluster: { port: 6222 } }, Date.now()).streams).toBe(4);
  expect(initFabric(chosen, { ...fabric, streams: 2 }, Date.now()).streams).toBe(2);

  expect(admitHub(three, request(), { asSteward: true }, Date.now())).toMatchObject({ streams: 4 });
  expect(admitHub(three, request(), { asSteward: false }, Date.now())).not.toHaveProperty("streams");
});

test("a fabric that was made before there could be more has one stream, and keeps it", () => {
  const folder = tempFolder();
  initFabric(folder, { name: "home", hosts: ["a.example.org"], port: 4222 }, Date.now());
  const file = join(folder, "fabric.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(/ *"streams": 16,\n/, ""));
  expect(readFabric(folder)).not.toHaveProperty("streams");

  expect(streamsOf(readFabric(folder))).toBe(1);
  expect(admitHub(folder, request(), { asSteward: true }, Date.now())).toMatchObject({ streams: 1 });
  expect(linkStreams(1)).toEqual([{ name: "HUD_LINK", subjects: ["hud.v1.link.*.*.*"] }]);
});
