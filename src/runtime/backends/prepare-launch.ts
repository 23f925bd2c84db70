import type { Launch } from "../runtime.js";
import { type AcpWiring, bridgeOf, type Wiring } from "../vendors/vendor.js";
import { vendorOf } from "../vendors/vendors.js";
import { makeOverlay, writePrivately } from "./overlay-folder.js";

/** What a process of an agent is started with, its generated configuration being written. */
export type Prepared = { argv: readonly string[]; env: Readonly<Record<string, string>> };

/** The CLI's own screen. A backend of no known vendor gets its command and arguments, and no tools. */
export async function prepareTui(launch: Launch): Promise<Prepared> {
  const { backend, model, resume } = launch;
  const spec = vendorOf(backend);
  const wiring = spec?.wire(launch) ?? {};
  const flags = spec?.tui({
    policy: backend.permissions,
    ...(model === undefined ? {} : { model }),
    ...(resume === undefined ? {} : { resume }),
  });
  // codex takes `resume ID` first, and the others do not mind.
  return prepare(launch, [backend.command, ...(flags ?? []), ...(wiring.args ?? [])], wiring);
}

export async function prepareAcp(launch: Launch, argv: readonly string[]): Promise<Prepared & AcpWiring> {
  const vendor = vendorOf(launch.backend);
  if (launch.resume !== undefined) await vendor?.readySession?.(launch.resume, launch);
  const wiring = vendor?.acpWire(launch) ?? { servers: [bridgeOf(launch)] };
  return { ...wiring, ...(await prepare(launch, [...argv, ...(wiring.args ?? [])], wiring)) };
}

export async function prepare(launch: Launch, argv: readonly string[], wiring: Wiring): Promise<Prepared> {
  await Promise.all((wiring.files ?? []).map(({ path, text }) => writePrivately(path, text)));
  if (wiring.overlay !== undefined) await makeOverlay(wiring.overlay);
  return { argv: [...argv, ...launch.backend.args], env: { ...launch.env, ...wiring.env } };
}
