import { HubError } from "../../model/errors.js";
import type { DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { lookAtHomeHub } from "../home-hub.js";

export const define: DefineCommand = (command, act) => {
  command.action(() =>
    act(async ({ io, output, paths, timeoutMs }) => {
      const home = await lookAtHomeHub(paths, timeoutMs());
      if (home.kind === "up") {
        const { url, pid } = home.health;
        throw new HubError(
          "HUB_RUNNING",
          `The hub is running at ${url} (pid ${pid}); stop it first: huddle down`,
          { url, pid },
        );
      }
      const daemon = await io.loadDaemon();
      const { events, damaged } = await daemon.rebuild((done) => {
        if (io.stderr.isTTY === true) io.stderr.write(`\r${done} events`);
      });
      if (io.stderr.isTTY === true) io.stderr.write("\r\x1b[K");
      output.confirm(
        { events, damaged },
        () =>
          `${output.colors.green("✓")} The views were rebuilt from ${events} events` +
          (damaged === undefined ? "" : `; the damaged file is kept: ${escapeLine(damaged)}`),
      );
    }),
  );
};
