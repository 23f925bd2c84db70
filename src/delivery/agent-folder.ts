import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/*
 * Each hosted agent has a folder that only this user can enter, named by its id. In it is the file by which the agent's
 * bridge knows who it is: its token is nowhere else, neither in an environment nor in an argument.
 */

type Identity = { url: string; name: string; token: string };

type AgentFolder = {
  path: string;
  identityFile: string;
  /** The token in the file, if there is one. */
  token(): string | undefined;
  write(identity: Identity): void;
  remove(): void;
};

export function agentFolder(root: string, id: string): AgentFolder {
  const path = join(root, id);
  const identityFile = join(path, "identity.json");
  return {
    path,
    identityFile,
    token() {
      try {
        const held: unknown = JSON.parse(readFileSync(identityFile, "utf8"));
        const token = typeof held === "object" && held !== null && "token" in held ? held.token : undefined;
        return typeof token === "string" ? token : undefined;
      } catch {
        return undefined;
      }
    },
    write(identity) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      chmodSync(path, 0o700);
      const fresh = `${identityFile}.${randomBytes(6).toString("hex")}`;
      writeFileSync(fresh, `${JSON.stringify(identity)}\n`, { mode: 0o600, flag: "wx" });
      renameSync(fresh, identityFile);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
