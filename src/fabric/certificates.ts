import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { bits, implicit, integer, octets, oid, sequence, set, tagged, time, utf8, yes } from "./der.js";

/*
 * The fabric's own authority and the certificate of its server. Hubs take that authority and no other, so no public one could vouch
 * for a server in between. Node reads certificates and makes none.
 */

/** PEM, both. */
export type Certified = { certificate: string; key: string };

const YEAR_MS = 365 * 24 * 60 * 60_000;
const ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));

export function createAuthority(name: string, now: number): Certified {
  const { privateKey, publicKey } = newKey();
  const extensions = [
    extension("2.5.29.19", sequence(yes()), true),
    // keyCertSign and cRLSign.
    extension("2.5.29.15", bits(Buffer.from([0x06]), 1), true),
  ];
  const subject = nameOf(name);
  const about = { issuer: subject, subject, publicKey, extensions, now, until: now + 20 * YEAR_MS };
  return { certificate: certify(about, privateKey), key: toPem(privateKey) };
}

/** `hosts`: names and addresses by which hubs call the server. */
export function createServerCertificate(
  authority: Certified,
  hosts: readonly string[],
  now: number,
): Certified {
  const { privateKey, publicKey } = newKey();
  const { subject, validTo } = new X509Certificate(authority.certificate);
  const extensions = [
    extension("2.5.29.17", sequence(...hosts.map(hostName))),
    // It answers hubs, and calls the other servers of its cluster.
    extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"), oid("1.3.6.1.5.5.7.3.2"))),
    // digitalSignature.
    extension("2.5.29.15", bits(Buffer.from([0x80]), 7), true),
  ];
  const about = {
    issuer: nameOf(subject.replace(/^CN=/, "")),
    subject: nameOf(hosts[0] ?? "server"),
    publicKey,
    extensions,
    now,
    until: Math.min(now + 10 * YEAR_MS, Date.parse(validTo)),
  };
  return { certificate: certify(about, authority.key), key: toPem(privateKey) };
}

type About = {
  issuer: Buffer;
  subject: Buffer;
  publicKey: KeyObject;
  extensions: readonly Buffer[];
  now: number;
  until: number;
};

function certify(
  { issuer, subject, publicKey, extensions, now, until }: About,
  key: KeyObject | string,
): string {
  const serial = randomBytes(16);
  serial[0] = (serial.readUInt8(0) & 0x7f) | 0x40;
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_SHA256,
    issuer,
    // Clocks of machines differ.
    sequence(time(now - 24 * 60 * 60_000), time(until)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(3, sequence(...extensions)),
  );
  const whole = sequence(body, ECDSA_SHA256, bits(sign("sha256", body, key)));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(oid(id), ...(isCritical ? [yes()] : []), octets(value));
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(oid("2.5.4.3"), utf8(commonName))));
}

function hostName(host: string): Buffer {
  return isIP(host) === 0 ? implicit(2, Buffer.from(host)) : implicit(7, addressBytes(host));
}

function addressBytes(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from(host.split(".").map(Number));
  // The URL parser writes out what `::` stands for, but for that itself.
  const plain = new URL(`http://[${host}]`).hostname.slice(1, -1);
  const [before = "", after] = plain.split("::");
  const groups = (part: string | undefined) => (part === undefined || part === "" ? [] : part.split(":"));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = Array<string>(after === undefined ? 0 : 8 - head.length - tail.length).fill("0");
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, "0")).join(""), "hex");
}

function newKey() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function toPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
