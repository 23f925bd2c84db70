import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { ensureIdentity } from "../link/identity.js";
import { makeRequest, newConnectionSeed } from "./request.js";
import { admitHub, initFabric, readFabric, revokeHub } from "./steward.js";

test("a hub that is revoked by its name now is shut out with the keys of its earlier names, and no other hub is", () => {
  const folder = tempFolder();
  const now = Date.now();
  initFabric(folder, { name: "home", hosts: ["127.0.0.1"], port: 4222 }, now);
  const [laptop, other] = [1, 2].map(() => ensureIdentity(join(tempFolder(), "hub.key")));
  if (laptop === undefined || other === undefined) throw new Error("two were made");
  const admit = (identity: typeof laptop, name: string) =>
    admitHub(folder, makeRequest(identity, name, newConnectionSeed()), { asSteward: false }, now);
  admit(laptop, "laptop");
  admit(other, "other");
  admit(laptop, "mini");

  const revoked = revokeHub(folder, "mini", now + 1000);

  expect(revoked.map(({ name }) => name).sort()).toEqual(["laptop", "mini"]);
  const left = readFabric(folder).members.filter(({ revoked: at }) => at === undefined);
  expect(left.map(({ name }) => name)).toEqual(["other"]);
});
