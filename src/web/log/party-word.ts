export function partyWord(name: string): string {
  return name === "user" ? "you" : name;
}
