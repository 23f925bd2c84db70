import type { CommanderError } from "commander";
import { HubError } from "../model/errors.js";

export function usageError(text: string, hint?: string): HubError {
  return new HubError("INVALID_INPUT", text, hint === undefined ? {} : { hint });
}

/** Commander's complaint, in our words: `error: unknown option '--jsn'` and its suggestion on a line of its own. */
export function fromCommander(error: CommanderError, command: string | undefined): HubError {
  const [complaint = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const quoted = complaint
    .replace(/^option '.*?(--[\w-]+).*?' argument '(.*)' is invalid\./, '$1 does not take "$2".')
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\./,
      'The argument $2 does not take "$1".',
    )
    .replace(/'([^']*)'/g, '"$1"');
  const sentence = quoted.charAt(0).toUpperCase() + quoted.slice(1);
  const meant = /Did you mean (?:one of )?(.+)\?/.exec(suggestion ?? "")?.[1];
  const help = `See: huddle ${command === undefined ? "" : `${command} `}--help`;
  return usageError(meant === undefined ? sentence : `${sentence}. Did you mean ${meant}?`, help);
}
