import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createCaller } from "../../../test/fakes/http-call.js";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { createDeskFiles } from "./desk-files.js";
import { createServeDesk } from "./serve-desk.js";

const script = "console.log('hello');";

function build(folder: string): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), "<html><head></head><body>the desk</body></html>");
  writeFileSync(join(folder, "assets", "index-1.js"), script);
  writeFileSync(join(folder, "assets", "index-1.js.gz"), gzipSync(script));
  writeFileSync(join(folder, "assets", "index-1.js.br"), "as brotli");
  writeFileSync(join(folder, "assets", "notes.secret"), "of no known type");
}

async function openDesk() {
  const folder = join(tempFolder(), "web");
  const errors: unknown[] = [];
  const desk = createServeDesk({ files: createDeskFiles(folder), onError: (error) => errors.push(error) });
  const server = createServer((incoming, outgoing) => {
    const [, file = ""] = /^\/assets\/(.+)$/.exec(incoming.url ?? "") ?? [];
    const serve = file === "" ? desk.page : desk.asset;
    void serve({ incoming, outgoing, params: { file }, query: "" });
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const { port } = server.address() as AddressInfo;
  const http = createCaller(`http://127.0.0.1:${port}`);
  onTestFinished(() => {
    http.close();
    server.close();
  });
  const get = (path: string, headers: Record<string, string> = {}) => http.call("GET", path, { headers });
  return { folder, get, errors };
}

test("a desk that is not built says what to run, and is there as soon as it was built", async () => {
  const { folder, get } = await openDesk();

  const before = await get("/");
  build(folder);
  const after = await get("/");

  expect(before.status).toBe(503);
  expect(before.text).toContain("npm run build");
  expect(after).toMatchObject({ status: 200, text: expect.stringContaining("the desk") as unknown });
});

test("what was served once is served on, whatever becomes of the folder", async () => {
  const { folder, get } = await openDesk();
  build(folder);
  await get("/");
  rmSync(folder, { recursive: true });

  expect((await get("/assets/index-1.js")).text).toBe(script);
});

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["identity", undefined],
  ["", undefined],
])("to a browser that takes '%s' the file goes as %s", async (accepted, encoding) => {
  const { folder, get } = await openDesk();
  build(folder);

  const { status, headers } = await get("/assets/index-1.js", { "accept-encoding": accepted });

  expect({ status, encoding: headers["content-encoding"] }).toEqual({ status: 200, encoding });
  expect(headers.vary).toBe("accept-encoding");
});

test("the compressed forms are no files of their own, and unknown types are left out", async () => {
  const { folder, get } = await openDesk();
  build(folder);

  for (const name of ["index-1.js.gz", "index-1.js.br", "notes.secret", "index-2.js"]) {
    expect(await get(`/assets/${name}`)).toMatchObject({ status: 404, json: { code: "ROUTE_NOT_FOUND" } });
  }
});

test("a folder that cannot be read is an error of the hub, and tells nothing of the inside", async () => {
  const { folder, get, errors } = await openDesk();
  mkdirSync(join(folder, "index.html"), { recursive: true });

  const { status, text } = await get("/");

  expect({ status, errors: errors.length }).toEqual({ status: 500, errors: 1 });
  expect(text).not.toContain(folder);
});
