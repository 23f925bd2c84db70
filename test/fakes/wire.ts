import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { freePort } from "./free-port.js";

/** A cable to a port of this machine. */
export type Wire = {
  port: number;
  /** Both ends notice, and it cannot be plugged in again until `mend`. */
  cut(): void;
  mend(): void;
  /** Nothing goes through from now on, and nobody notices. `after`: once a connection has sent so many bytes. */
  stall(after?: number): void;
  /** What was held back goes through. */
  release(): void;
};

export async function openWire(to: number): Promise<Wire> {
  const ends = new Set<Socket>();
  const held = new Set<() => void>();
  let isCut = false;
  let stalledAfter = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    let sent = 0;
    const pass = (from: Socket, target: Socket, count: (bytes: number) => void) =>
      from.on("data", (data: Buffer) => {
        const isHeld = sent >= stalledAfter;
        count(data.length);
        if (isHeld) held.add(() => target.write(data));
        else target.write(data);
      });
    pass(near, far, (bytes) => {
      sent += bytes;
    });
    pass(far, near, () => {});
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
    stall(after = 0) {
      stalledAfter = after;
    },
    release() {
      stalledAfter = Number.POSITIVE_INFINITY;
      for (const go of held) go();
      held.clear();
    },
  };
}
