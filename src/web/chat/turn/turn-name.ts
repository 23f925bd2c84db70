import { shortTurn } from "../bubble/ladder.js";

/** `turn 12`; where it is not known which, the end of its id. */
export function nameTurn(turn: string, number: number | undefined): string {
  return `turn ${number ?? shortTurn(turn)}`;
}
