import { readVersion } from "../../client/version.js";
import type { DefineCommand } from "../context.js";

export const define: DefineCommand = (command, act) => {
  command.action(() =>
    act(async ({ output }) => {
      const version = readVersion();
      const { platform, arch, versions } = process;
      output.result(
        { version, node: versions.node, platform, arch },
        () => `huddle ${version} (node ${versions.node}, ${platform} ${arch})`,
      );
    }),
  );
};
