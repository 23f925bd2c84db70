import { join } from "node:path";
import { expect, test } from "vitest";
import { startFabricHub } from "../../../test/fakes/fabric-yard.js";
import { startImpostor } from "../../../test/fakes/impostor-server.js";
import { patiently } from "../../../test/fakes/patiently.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { createAuthority } from "../../fabric/certificates.js";
import { newConnectionSeed } from "../../fabric/request.js";
import { ensureIdentity } from "../identity.js";

test.each([
  [{}],
  [{ tls_required: false, tls_available: false }],
  // The client takes these for a server that encrypts, and begins to only where it says `true`.
  [{ tls_available: 1 }],
  [{ tls_available: "yes" }],
])("a server that does not encrypt is told nothing, whatever it says of that: %j", async (said) => {
  const impostor = await startImpostor({ nonce: "n", ...said });
  const url = `tls://${impostor.host}`;
  const identity = ensureIdentity(join(tempFolder(), "hub.key"));
  const { certificate: ca } = createAuthority("home", Date.now());
  const access = { servers: [url], ca, user: { jwt: "jwt-of-this-hub", seed: newConnectionSeed() } };

  const { link } = await startFabricHub("bmo", { url }, { identity, access, noWait: true });

  await patiently(() => expect(impostor.calls()).toBeGreaterThan(2));
  expect(impostor.told()).toBe("");
  expect(link.fabric()?.state()).toMatchObject({
    kind: "away",
    refused: true,
    problem: expect.stringContaining("does not encrypt, as every server of a fabric does") as unknown,
  });
});
