/** `turn 12`, or only `turn` while it is not known which. */
export function nameTurn(number: number | undefined): string {
  return number === undefined ? "turn" : `turn ${number}`;
}
