import { expect, test } from "vitest";
import { createSameSite } from "./same-site.js";

const openSite = () => createSameSite("127.0.0.1", 7777);

test.each(["127.0.0.1:7777", "localhost:7777", "LocalHost:7777", "[::1]:7777"])("%s is us", (host) => {
  const site = openSite();
  expect(site.check({ host })).toBeUndefined();
  expect(site.check({ host, origin: `http://${host}` })).toBeUndefined();
});

test.each([
  undefined,
  "",
  "localhost",
  "localhost:80",
  "localhost:77777",
  "localhost.evil.com:7777",
  "evil.com:7777",
  "[::2]:7777",
])("a request for the host %s is refused, and told who we are", (host) => {
  expect(openSite().check({ host })).toMatchObject({
    code: "HOST_NOT_ALLOWED",
    details: { allowed: ["127.0.0.1:7777", "localhost:7777", "[::1]:7777"] },
  });
});

test.each([
  "null",
  "",
  "http://evil.com",
  "http://localhost",
  "https://localhost:7777",
  "http://localhost:7778",
])("a page of %j is refused", (origin) => {
  expect(openSite().check({ host: "localhost:7777", origin })?.code).toBe("ORIGIN_NOT_ALLOWED");
});

test("the address that the hub is bound to is us too, one of IPv6 in brackets", () => {
  expect(createSameSite("192.168.1.5", 7777).check({ host: "192.168.1.5:7777" })).toBeUndefined();
  expect(createSameSite("fe80::1", 7777).check({ host: "[fe80::1]:7777" })).toBeUndefined();
  expect(createSameSite("fe80::1", 7777).check({ host: "fe80::1:7777" })?.code).toBe("HOST_NOT_ALLOWED");
});

test("on port 80 clients leave the port out", () => {
  const web = createSameSite("127.0.0.1", 80);

  expect(web.check({ host: "localhost", origin: "http://localhost" })).toBeUndefined();
  expect(web.check({ host: "localhost:80" })).toBeUndefined();
  expect(web.check({ host: "evil.com" })?.code).toBe("HOST_NOT_ALLOWED");
});
