import type { CliContext } from "./context.js";
import { EXIT_INTERRUPTED, EXIT_OK } from "./exit-codes.js";
import { reportState } from "./report-state.js";
import { stopAfter } from "./stop-after.js";

/** Shows what agents say and do while they work, until Ctrl-C; with --json one frame a line. */
export async function followLiveOutput(cli: CliContext, agent: string | undefined): Promise<number> {
  const [{ followLive }, { nodeSocket }, { locateHub }, { liveWriter }] = await Promise.all([
    import("../client/live-stream.js"),
    import("../client/node-socket.js"),
    import("../client/connect.js"),
    import("./render-live.js"),
  ]);
  const { io, output, globals } = cli;
  const { signal, isTimeUp, end } = stopAfter(cli);
  const write = liveWriter(output.colors, agent === undefined);
  const stream = followLive({
    open: nodeSocket(() => locateHub({ env: io.env, home: io.home, hub: globals.hub })),
    agent: agent ?? "*",
    onState: reportState(output),
    signal,
  });
  for await (const frame of stream) {
    if (output.json) output.result(frame, () => "");
    else io.stdout.write(write(frame));
    await output.drained();
  }
  end();
  return isTimeUp() ? EXIT_OK : EXIT_INTERRUPTED;
}
