import { describe, inject } from "vitest";
import type { Client, ClientName } from "./client.js";
import { clients } from "./clients.js";

/*
 * Two sets of tests with real CLIs.
 *
 * `npm run test:clients`, which CI runs, has every proof once: for each vendor and runtime that it starts, takes a
 * message, uses Huddle's tools, is interrupted and is ended, all through the hub; for each vendor that it asks, goes on
 * with its session, and finishes what it was at when the hub was killed, under the runtime where it is quickest; and what
 * differs between vendors, such as screens, drafts, errors and hooks. One hub and one CLI serve all tests of a file and runtime.
 *
 * `npm run test:clients:all` is the whole matrix. Besides, it has what is proven once already: the same behaviour of the
 * same CLI one layer further in, and what the hub does alike for all vendors, with each of them. Such a test is registered by
 * `provenBy`, which names the test that has its proof. Its failure says where a fault lies; it finds no fault of its own.
 * Of vendors that joined later it also has whole files; vitest.clients.config.ts names those.
 */

declare module "vitest" {
  interface ProvidedContext {
    wholeMatrix: boolean;
    /** In the projects that have one vendor each. */
    vendor: ClientName;
  }
}

export const wholeMatrix = inject("wholeMatrix");

/** Tests for the whole matrix only, with the test that has their proof in every run. */
export function provenBy(_test: string, tests: () => void): void {
  if (wholeMatrix) tests();
}

/** The tests of a file that every vendor runs. */
export function describeVendor(tests: (client: Client) => void): void {
  const vendor = inject("vendor");
  const client = clients.find(({ name }) => name === vendor);
  if (client === undefined) throw new Error(`there is no client named "${vendor}"`);
  describe(client.name, () => tests(client));
}
