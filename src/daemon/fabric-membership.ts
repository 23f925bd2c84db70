import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HuddlePaths } from "../client/paths.js";
import { type FabricAdmission, fabricAdmission, type MemberEntry } from "../contract/link/fabric.js";
import { ensureKeyFile } from "../link/key-file.js";
import { HubError } from "../model/errors.js";

export type FabricMember = Pick<MemberEntry, "hub" | "key" | "name">;

/** What this hub keeps of its place on a fabric: the steward's admission, and the key that connects. */
export type Membership = {
  isJoined(): boolean;
  read(): FabricAdmission | undefined;
  keep(admission: FabricAdmission): void;
  /** The seed of the connection key. Throws where there is none yet, unless `make` makes one. */
  seed(make?: () => string): string;
  /** Also the connection key: one that was revoked is of no use any more. */
  forget(): void;
};

export function createMembership(paths: Pick<HuddlePaths, "data">): Membership {
  const folder = join(paths.data, "fabric");
  const file = join(folder, "admission.json");
  return {
    isJoined: () => existsSync(file),
    read() {
      if (!existsSync(file)) return undefined;
      const read = fabricAdmission.safeParse(parse(readFileSync(file, "utf8")));
      if (read.success) return read.data;
      throw new HubError(
        "FABRIC_UNUSABLE",
        `${file} cannot be read. Remove it and join again: huddle fabric request`,
        { file },
      );
    },
    keep(admission) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, `${JSON.stringify(admission, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
    seed(make = missing) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return ensureKeyFile(join(folder, "connection.seed"), make).trim();
    },
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function missing(): never {
  throw new HubError(
    "FABRIC_UNUSABLE",
    "This hub's connection key is gone. Ask the steward again: huddle fabric request",
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
