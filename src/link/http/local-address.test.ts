import { expect, test } from "vitest";
import { lanAddress } from "./lan-address.js";
import { isLocalAddress } from "./local-address.js";

const at =
  (...cidrs: string[]) =>
  () =>
    cidrs.map((cidr) => ({ address: cidr.replace(/\/.*/, ""), cidr }));

test.each([
  "127.0.0.1",
  "127.9.9.9",
  "::1",
  "::ffff:127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "::ffff:192.168.1.1",
  "169.254.7.7",
  "fd00::1",
  "fc00::1",
  "fe80::1%eth0",
])("%s is local", (address) => {
  expect(isLocalAddress(address, at())).toBe(true);
});

test.each([
  "8.8.8.8",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "11.0.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "::ffff:8.8.8.8",
  "2001:db8::1",
  "2606:4700::1111",
  "0.0.0.0",
  "::",
  "",
  "localhost",
  "127.0.0.1.evil.example",
  undefined,
])("%s is not", (address) => {
  expect(isLocalAddress(address, at())).toBe(false);
});

test("an address of a network that an interface is on is local, and its neighbours are not", () => {
  const interfaces = at("203.0.113.20/24", "2001:db8:1::20/64", "100.100.1.1/32", "0.0.0.0/0");
  for (const near of ["203.0.113.99", "2001:db8:1::7", "100.100.1.1"])
    expect(isLocalAddress(near, interfaces)).toBe(true);
  for (const far of ["203.0.114.1", "2001:db8:2::7", "100.100.1.2", "9.9.9.9"])
    expect(isLocalAddress(far, interfaces)).toBe(false);
});

test("where others reach this machine is its first private address, else loopback", () => {
  expect(
    lanAddress(at("127.0.0.1/8", "fe80::1/64", "169.254.1.1/16", "203.0.113.1/24", "192.168.1.7/24")),
  ).toBe("192.168.1.7");
  expect(lanAddress(at("127.0.0.1/8"))).toBe("127.0.0.1");
});
