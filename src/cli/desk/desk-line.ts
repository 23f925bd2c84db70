import { type DeskPlace, deskLink } from "../../model/desk-link.js";
import type { CliContext } from "../context.js";

/** How a place of the desk is shown below what it is about: a line of its own, for people at a terminal that is wide enough. */
export async function deskLines(cli: CliContext): Promise<(place: DeskPlace) => string> {
  const { colors, width } = cli.output;
  if (width === undefined) return () => "";
  const { url } = await cli.locate();
  return (place) => {
    const link = `  ${deskLink(url, place)}`;
    return link.length > width ? "" : `\n${colors.dim(link)}`;
  };
}

/** Below a table: where each of its rows is, with the column that names it in capitals. */
export async function deskFooter(cli: CliContext, pattern: string): Promise<string> {
  const { colors, width } = cli.output;
  if (width === undefined) return "";
  const { url } = await cli.locate();
  const line = `On the desk: ${url}/#/${pattern}`;
  return line.length > width ? "" : `\n${colors.dim(line)}`;
}
