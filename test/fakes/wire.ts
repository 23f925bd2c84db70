import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { freePort } from "./free-port.js";

/** A cable to a port of this machine. */
export type Wire = {
  port: number;
  /** Both ends notice, and it cannot be plugged in again until `mend`. */
  cut(): void;
  mend(): void;
  /** Of connections that begin from now on nothing goes through once this was said, and nobody notices. */
  stallAfter(said: string): void;
  /** How much is held back. */
  held(): number;
  /** What was held back goes through. */
  release(): void;
};

export async function openWire(to: number): Promise<Wire> {
  const ends = new Set<Socket>();
  const held: (() => void)[] = [];
  const releasing = new Set<() => void>();
  let isCut = false;
  let last: string | undefined;
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    let isHeld = false;
    near.on("data", (data: Buffer) => {
      if (isHeld) held.push(() => far.write(data));
      else far.write(data);
      isHeld ||= last !== undefined && data.includes(last);
    });
    releasing.add(() => {
      isHeld = false;
    });
    far.on("data", (data: Buffer) => near.write(data));
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end
        .on("error", () => {})
        .on("close", () => {
          ends.delete(end);
          other.destroy();
        });
    }
    if (isCut) near.destroy();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const drop = () => {
    for (const end of ends) end.destroy();
  };
  onTestFinished(() => {
    drop();
    server.close();
  });
  return {
    port,
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    stallAfter(said) {
      last = said;
    },
    held: () => held.length,
    release() {
      last = undefined;
      for (const end of releasing) end();
      for (const go of held.splice(0)) go();
    },
  };
}
