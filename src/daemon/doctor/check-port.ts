import { createServer } from "node:net";
import type { Finding } from "../../model/finding.js";
import { findListener } from "./find-listener.js";
import type { Place } from "./place.js";

/** Whether the hub could listen where it is told to. */
export async function checkPort({ config, isUp }: Place): Promise<Finding[]> {
  if (isUp || config === undefined) return [];
  const { host, port } = config;
  if (port === 0) return [{ check: "port", state: "ok", text: "Any free port will do" }];
  const problem = await tryToListen(host, port);
  if (problem === undefined) return [{ check: "port", state: "ok", text: `${port} on ${host} is free` }];
  const by = problem === "EADDRINUSE" ? await findListener(port) : undefined;
  const text =
    problem === "EADDRINUSE"
      ? `Port ${port} is taken by ${by === undefined ? "another program" : `${by.command} (pid ${by.pid})`}`
      : `Port ${port} on ${host} cannot be used (${problem})`;
  return [{ check: "port", state: "problem", text, fix: "huddle up --port 0" }];
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
