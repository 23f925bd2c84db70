import { expect, test } from "vitest";
import { faceOfLink } from "./link-face.js";

test("an address that is its own text stands once", () => {
  expect(faceOfLink("https://example.com/a", "https://example.com/a")).toEqual({
    kind: "link",
    href: "https://example.com/a",
    shown: null,
    warning: null,
  });
});

test("another text has the whole address beside it", () => {
  expect(faceOfLink("https://example.com/a?b=c", "the manual")).toMatchObject({
    shown: "https://example.com/a?b=c",
    warning: null,
  });
});

test.each([
  ["https://evil.com/", "https://bank.com", "leads to evil.com"],
  ["https://evil.com/", "bank.com/login", "leads to evil.com"],
  ["https://bank.com@evil.com/", "bank", "leads to evil.com, not to bank.com"],
  ["https://b\u0430nk.com/", "bank", "the host is xn--"],
])("%s under the text %s is marked", (address, text, warning) => {
  const face = faceOfLink(address, text);
  expect(face.kind === "link" ? face.warning : undefined).toContain(warning);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "/api/agents",
  "#/agents/ann",
  "blob:x",
  "",
  "ftp://x",
])("%s leads nowhere", (address) => {
  expect(faceOfLink(address, "x")).toEqual({ kind: "blocked", shown: address });
});
