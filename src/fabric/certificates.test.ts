import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { createAuthority, createServerCertificate } from "./certificates.js";

const now = Date.parse("2026-11-18T10:00:00Z");

test("a server's certificate is of its authority, for the hosts that were named, and for years", () => {
  const authority = createAuthority("home", now);
  const hosts = ["fabric.example.org", "192.168.1.7", "fd00::1:2", "::1", "localhost"];
  const server = new X509Certificate(createServerCertificate(authority, hosts, now).certificate);
  const own = new X509Certificate(authority.certificate);

  expect(server.verify(own.publicKey)).toBe(true);
  expect(server.checkIssued(own)).toBe(true);
  expect(own.ca).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.checkHost("fabric.example.org")).toBe("fabric.example.org");
  expect(server.checkHost("other.example.org")).toBeUndefined();
  for (const address of ["192.168.1.7", "fd00::1:2", "::1"]) expect(server.checkIP(address)).toBe(address);
  expect(server.checkIP("192.168.1.8")).toBeUndefined();
  expect(Date.parse(server.validTo)).toBeGreaterThan(now + 9 * 365 * 24 * 60 * 60_000);
  expect(Date.parse(server.validFrom)).toBeLessThan(now);
});

test("each has a key and a number of its own", () => {
  const [one, other] = [createAuthority("home", now), createAuthority("home", now)];
  const numbers = [one, other].map(({ certificate }) => new X509Certificate(certificate).serialNumber);
  expect(one.key).not.toBe(other.key);
  expect(new Set(numbers).size).toBe(2);
});

test("after 2049 a time is written in the other form that certificates have", () => {
  const late = new X509Certificate(createAuthority("home", Date.parse("2049-06-01T00:00:00Z")).certificate);
  expect(new Date(late.validTo).getUTCFullYear()).toBe(2069);
});
