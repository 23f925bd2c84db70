import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { findAdmissionEnding, findCertificateEndings } from "./endings.js";
import { initFabric, renewCertificates } from "./steward.js";

const DAY_MS = 24 * 60 * 60_000;
const YEAR_MS = 365 * DAY_MS;
const now = Date.parse("2026-11-18T10:00:00Z");
const hosts = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];

test("of an admission that ends within two weeks it is said when, with the command that renews it", () => {
  expect(findAdmissionEnding(now + 15 * DAY_MS, false, now)).toBeUndefined();
  expect(findAdmissionEnding(now + 6 * DAY_MS, false, now)).toEqual({
    text: "This hub's admission to the fabric ends on 2026-11-24, in 6 days",
    fix: "huddle fabric request | ssh STEWARD huddle fabric admit | huddle fabric join",
  });
  expect(findAdmissionEnding(now + 3000, true, now)).toEqual({
    text: "This hub's admission to the fabric ends on 2026-11-18, within a day",
    fix: "huddle fabric request | huddle fabric admit | huddle fabric join",
  });
  expect(findAdmissionEnding(now - DAY_MS, false, now)?.text).toContain("ended on 2026-11-17");
});

test("of each server's certificate that ends within two months it is said, until it is renewed", () => {
  const [one, three] = [tempFolder(), tempFolder()];
  const made = now - 10 * YEAR_MS + 20 * DAY_MS;
  initFabric(one, { name: "home", hosts: ["127.0.0.1"], port: 4222 }, made);
  initFabric(three, { name: "home", hosts, port: 4222, cluster: { port: 6222 } }, made);

  expect(findCertificateEndings(one, now)).toEqual([
    {
      text: "The certificate of the fabric's server ends on 2026-12-08, in 20 days",
      fix: "huddle fabric renew",
    },
  ]);
  expect(findCertificateEndings(three, now).map(({ text }) => text.slice(0, 32))).toEqual([
    "The certificate of server-1 ends",
    "The certificate of server-2 ends",
    "The certificate of server-3 ends",
  ]);

  for (const folder of [one, three]) {
    renewCertificates(folder, now);
    expect(findCertificateEndings(folder, now)).toEqual([]);
  }
});

test("a folder without a fabric has nothing that ends, and a certificate that cannot be read is told", () => {
  const folder = tempFolder();
  expect(findCertificateEndings(folder, now)).toEqual([]);
  initFabric(folder, { name: "home", hosts: ["127.0.0.1"], port: 4222 }, now);
  writeFileSync(join(folder, "server.pem"), "nothing");
  expect(findCertificateEndings(folder, now)).toMatchObject([
    { text: "The certificate of the fabric's server cannot be read" },
  ]);
});
