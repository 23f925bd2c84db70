import { expect, test } from "vitest";
import { createRouteTable } from "./route-table.js";

function table() {
  const routes = createRouteTable<string>();
  routes.add({ method: "GET", path: "/api/agents/:name" }, "one");
  routes.add({ method: "POST", path: "/api/agents/:name/messages" }, "send");
  routes.add({ method: "POST", path: "/api/agents/:name" }, "post");
  routes.add({ method: "POST", path: "/api/agents/broadcast" }, "broadcast");
  return routes;
}

test("a route is found by its method and path, with the names in it decoded", () => {
  expect(table().find("GET", "/api/agents/ann")).toEqual({ target: "one", params: { name: "ann" } });
  expect(table().find("POST", "/api/agents/a%20b/messages")).toEqual({
    target: "send",
    params: { name: "a b" },
  });
});

test("a literal part goes before a name, in whatever order they were added", () => {
  expect(table().find("POST", "/api/agents/broadcast")?.target).toBe("broadcast");
  expect(table().find("POST", "/api/agents/bob")?.target).toBe("post");
});

test.each([
  ["another method", "PUT", "/api/agents/ann"],
  ["no method", undefined, "/api/agents/ann"],
  ["a longer path", "GET", "/api/agents/ann/"],
  ["an empty name", "GET", "/api/agents/"],
  ["a whole address", "GET", "http://localhost/api/agents/ann"],
  ["no path", "GET", ""],
])("%s is not found", (_, method, path) => {
  expect(table().find(method, path)).toBeUndefined();
});

test("what cannot be decoded stays as it stands", () => {
  expect(table().find("GET", "/api/agents/%zz")?.params).toEqual({ name: "%zz" });
});
