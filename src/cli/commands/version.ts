import { readVersion } from "../../client/version.js";
import type { DefineCommand } from "../context.js";

export const define: DefineCommand = (command, act) => {
  command.action(() =>
    act(async ({ output }) => {
      const version = readVersion();
      output.result(
        { version, node: process.versions.node },
        () => `huddle ${version} (node ${process.versions.node})`,
      );
    }),
  );
};
