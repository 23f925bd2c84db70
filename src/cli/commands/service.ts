import { Argument } from "commander";
import { homePath } from "../connect/config-world.js";
import type { CliContext, DefineCommand } from "../context.js";
import { EXIT_FAILED, EXIT_OK } from "../exit-codes.js";
import { installService } from "../service/install-service.js";
import { openServiceManager } from "../service/open-service.js";
import { removeService } from "../service/remove-service.js";
import type { ServiceManager } from "../service/service-manager.js";
import { showService } from "../service/show-service.js";

const actions = ["install", "remove", "status"] as const;
type Options = { print?: true; yes?: true };

export const define: DefineCommand = (command, act) => {
  command
    .addArgument(new Argument("[action]", "install, remove or status").choices(actions).default("status"))
    .option("--print", "with install: print what would be written, and write nothing")
    .option("-y, --yes", "with install: stop a hub that runs already, and let the service start it again")
    .addHelpText(
      "after",
      "\nThe service starts the hub when you log in, and again after a failure: a user unit of systemd on Linux, a launch agent on macOS. It needs no root. Settings are those of huddle.yaml.",
    )
    .action((action: (typeof actions)[number], options: Options) =>
      act(async (cli) => {
        const manager = openServiceManager(cli);
        if (action === "status") return showService(cli, manager);
        if (action === "remove") return remove(cli, manager);
        if (options.print === true) return print(cli, manager);
        await installService(cli, manager, options.yes === true);
        return EXIT_OK;
      }),
    );
};

function print({ output }: CliContext, { kind, file, text }: ServiceManager): Promise<number> {
  output.result({ manager: kind, file, text }, () => text.trimEnd());
  return Promise.resolve(EXIT_OK);
}

async function remove(cli: CliContext, manager: ServiceManager): Promise<number> {
  const { output } = cli;
  const removed = await removeService(manager, true);
  const where = homePath(manager.file, cli);
  output.result({ manager: manager.kind, file: manager.file, state: removed }, () => {
    const { green, yellow } = output.colors;
    switch (removed) {
      case "none":
        return "No service is installed.";
      case "removed":
        return `${green("✓")} The service is removed, and its hub is stopped. Your data stays. Start the hub by hand: huddle up`;
      case "unasked":
        return `${yellow("!")} ${where} is removed; ${manager.kind} did not answer. A hub that runs goes on: huddle down stops it`;
      case "foreign":
        return `${yellow("!")} ${where} stays: Huddle did not write it`;
    }
  });
  return removed === "foreign" ? EXIT_FAILED : EXIT_OK;
}
