import { DEFAULT_TEAM, fullAddress } from "../../model/address.js";
import type { DirectoryEntry, HubId, MemberName } from "../../model/link.js";
import { toName } from "../../model/names.js";

/* Hubs of a fabric that are no peers have no name of this hub's own. They are written to by what they call themselves, where nobody else does, and by their id. */

/** What a hub calls itself, as it can stand in an address. */
export function calledName({ name }: MemberName): string | undefined {
  return toName(name);
}

/** Those that the word behind "@" may mean: one by its id, any number by their name. */
export function membersMeant(members: readonly MemberName[], hub: string): MemberName[] {
  return members.filter((member) => member.id === hub || calledName(member) === hub);
}

/** How each of these is written to. `isTaken`: a name that means another hub here. */
export function memberAddresses(
  members: readonly MemberName[],
  isTaken: (name: string) => boolean,
): ReadonlyMap<HubId, string> {
  const counts = new Map<string | undefined, number>();
  for (const member of members) counts.set(calledName(member), (counts.get(calledName(member)) ?? 0) + 1);
  return new Map(
    members.map((member) => {
      const name = calledName(member);
      const isUsable = name !== undefined && counts.get(name) === 1 && !isTaken(name);
      return [member.id, isUsable ? name : member.id];
    }),
  );
}

/** An agent there; without its team where a plain name means that one. */
export function addressAt(hub: string, { name, team }: Pick<DirectoryEntry, "name" | "team">): string {
  const isPlain = team === DEFAULT_TEAM && name !== hub;
  return `${isPlain ? name : fullAddress({ team, name })}@${hub}`;
}
