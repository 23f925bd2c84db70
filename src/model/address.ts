/*
 * How an agent is written to: `[team/]name[@hub]`. An instance is the end of a name: `ana-2`.
 */

export const DEFAULT_TEAM = "main";

type Address = { team?: string | undefined; name: string; hub?: string | undefined };

const pattern =
  /^(?:(?<team>[a-z][a-z0-9_]{0,63})\/)?(?<name>[a-z0-9][a-z0-9_-]{0,63})(?:@(?<hub>[a-z0-9][a-z0-9._-]{0,63}))?$/;

/** Undefined where nobody can have that address. */
export function parseAddress(text: string): Address | undefined {
  const { team, name, hub } = pattern.exec(text)?.groups ?? {};
  return name === undefined ? undefined : { team, name, hub };
}

export function fullAddress({ team, name }: { team: string; name: string }): string {
  return `${team}/${name}`;
}

/** The name alone, of an address or of a name. */
export function nameIn(address: string): string {
  return address.slice(address.indexOf("/") + 1);
}
