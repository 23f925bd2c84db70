import { expect, test } from "vitest";
import { pickAddress } from "./pick-address.js";

const resolvingTo =
  (...addresses: string[]) =>
  async () =>
    addresses;

test.each([
  ["mini.local", ["192.168.1.7"], "192.168.1.7"],
  ["mini.local", ["fe80::1%en0", "192.168.1.7"], "192.168.1.7"],
  ["mini.local", ["fd00::7", "10.0.0.7"], "fd00::7"],
  ["far.example", ["100.64.1.2"], "100.64.1.2"],
  ["localhost", ["127.0.0.1", "::1"], "127.0.0.1"],
  ["LOCALHOST", ["::1"], "::1"],
])("%s, which is %j, is called at %s", async (host, addresses, address) => {
  expect(await pickAddress(host, resolvingTo(...addresses))).toEqual({ address });
});

test.each(["192.168.1.7", "127.0.0.1", "127.1.2.3", "::1", "fd00::7"])(
  "%s as it stands in the configuration is not looked up",
  async (host) => {
    const resolve = () => Promise.reject(new Error("it was looked up"));
    expect(await pickAddress(host, resolve)).toEqual({ address: host });
  },
);

const forbidden = [
  "127.0.0.1",
  "127.255.255.255",
  "0.0.0.0",
  "0.1.2.3",
  "169.254.0.1",
  "169.254.169.254",
  "224.0.0.251",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "::127.0.0.1",
  "::7f00:1",
  "::c0a8:107",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:192.168.1.7",
  "::ffff:169.254.169.254",
  "0:0:0:0:0:ffff:a9fe:a9fe",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "2002:7f00:1::",
  "2001:0:7f00:1::",
  "fec0::1",
  "ff02::fb",
  "ff0e::1",
  "not-an-address",
  "",
];

test.each(forbidden)("a name that leads to %s is refused", async (address) => {
  const refused = expect.stringContaining("no callback may go to") as string;
  expect(await pickAddress("mini.local", resolvingTo(address))).toEqual({ refused });
});

test.each(forbidden)(
  "and so is one that leads to %s besides a good one, in either order",
  async (address) => {
    expect(await pickAddress("mini.local", resolvingTo("192.168.1.7", address))).toHaveProperty("refused");
    expect(await pickAddress("mini.local", resolvingTo(address, "192.168.1.7"))).toHaveProperty("refused");
  },
);

test.each(["169.254.169.254", "0.0.0.0", "224.0.0.1", "::ffff:127.0.0.1", "::"])(
  "%s is refused in the configuration, too",
  async (host) => {
    expect(await pickAddress(host, resolvingTo())).toHaveProperty("refused");
  },
);

test.each([
  ["only link-local ones", ["fe80::1"]],
  ["none at all", []],
])("a name that has %s is refused", async (_, addresses) => {
  expect(await pickAddress("mini.local", resolvingTo(...addresses))).toEqual({
    refused: "mini.local has no address that a callback may go to",
  });
});
