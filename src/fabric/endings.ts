import { X509Certificate } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/* What ends one day, and the command that renews it: said in time, since hubs are shut out from that moment on. */

export type Ending = { text: string; fix: string };

const DAY_MS = 24 * 60 * 60_000;
/** An admission is good for 90 days, and its steward may be on holiday. */
const ADMISSION_DAYS = 14;
/** A certificate is good for ten years, and has to be brought to each server. */
const CERTIFICATE_DAYS = 60;

/** `isOwn`: the steward's keys are on this machine. */
export function findAdmissionEnding(expiresAt: number, isOwn: boolean, now: number): Ending | undefined {
  const when = sayWhen(expiresAt, ADMISSION_DAYS, now);
  if (when === undefined) return undefined;
  const there = isOwn ? "huddle fabric admit" : "ssh STEWARD huddle fabric admit";
  return {
    text: `This hub's admission to the fabric ${when}`,
    fix: `huddle fabric request | ${there} | huddle fabric join`,
  };
}

/** Of the fabric whose keys are in this folder, if any are. */
export function findCertificateEndings(folder: string, now: number): Ending[] {
  if (!existsSync(join(folder, "fabric.json"))) return [];
  const places = readdirSync(folder).filter((name) => /^server-\d+$/.test(name));
  return ["", ...places].flatMap((place) => {
    const file = join(folder, place, "server.pem");
    if (!existsSync(file)) return [];
    const when = sayWhen(Date.parse(readCertificate(file)?.validTo ?? ""), CERTIFICATE_DAYS, now);
    const which = place === "" ? "The certificate of the fabric's server" : `The certificate of ${place}`;
    return when === undefined ? [] : [{ text: `${which} ${when}`, fix: "huddle fabric renew" }];
  });
}

function sayWhen(at: number, days: number, now: number): string | undefined {
  if (Number.isNaN(at)) return "cannot be read";
  const left = Math.floor((at - now) / DAY_MS);
  const day = new Date(at).toISOString().slice(0, 10);
  if (at <= now) return `ended on ${day}`;
  if (left >= days) return undefined;
  return `ends on ${day}, ${left === 0 ? "within a day" : left === 1 ? "in a day" : `in ${left} days`}`;
}

function readCertificate(file: string): X509Certificate | undefined {
  try {
    return new X509Certificate(readFileSync(file));
  } catch {
    return undefined;
  }
}
