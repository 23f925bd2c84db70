import { type DeskPlace, deskLink } from "../../model/desk-link.js";
import type { CliContext } from "../context.js";

/** How a place of the desk is shown below what it is about: a line of its own, for people at a terminal only. */
export async function deskLines(cli: CliContext): Promise<(place: DeskPlace) => string> {
  const { colors, width } = cli.output;
  if (width === undefined) return () => "";
  const { url } = await cli.locate();
  return (place) => `\n  ${colors.dim(deskLink(url, place))}`;
}

/** Below a table: where each of its rows is, with the column that names it in capitals. */
export async function deskFooter(cli: CliContext, pattern: string): Promise<string> {
  const { colors, width } = cli.output;
  if (width === undefined) return "";
  const { url } = await cli.locate();
  return `\n${colors.dim(`On the desk: ${url}/#/${pattern}`)}`;
}
