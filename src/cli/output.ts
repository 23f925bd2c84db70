import { once } from "node:events";
import pc from "picocolors";
import type { CliIo, TextOutput } from "./cli-io.js";
import { escapeJson } from "./escape-text.js";
import type { Globals } from "./globals.js";

export type Colors = ReturnType<typeof pc.createColors>;

/** Results go to stdout, everything said about them to stderr. */
export type Output = {
  json: boolean;
  colors: Colors;
  /** Columns of the terminal; undefined when what reads is a program. */
  width: number | undefined;
  /** The result: one JSON document, or what a person reads. */
  result(document: unknown, human: () => string): void;
  /** That something worked: not a result, so `--quiet` drops it. With `--json` the document stands for it. */
  confirm(document: unknown, human: () => string): void;
  note(text: string): void;
  /** Resolves once a slow reader has taken what was written. */
  drained(): Promise<void>;
};

export function createOutput(io: Pick<CliIo, "stdout" | "stderr" | "env">, globals: Globals): Output {
  const { json, quiet } = globals;
  const print = (text: string) => void io.stdout.write(`${text}\n`);
  return {
    json,
    colors: colorsFor(io.stdout, io.env, globals.color),
    width: io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : undefined,
    result: (document, human) => print(json ? escapeJson(document) : human()),
    confirm(document, human) {
      if (json) print(escapeJson(document));
      else if (!quiet) print(human());
    },
    note(text) {
      if (!quiet) io.stderr.write(`${text}\n`);
    },
    async drained() {
      if (io.stdout.writable && "writableNeedDrain" in io.stdout && io.stdout.writableNeedDrain === true) {
        await once(io.stdout, "drain");
      }
    },
  };
}

/** Colour only on a terminal that has it, and never against NO_COLOR (https://no-color.org). */
export function colorsFor(stream: TextOutput, env: CliIo["env"], wanted: boolean): Colors {
  const refused = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return pc.createColors(wanted && !refused && stream.isTTY === true);
}
