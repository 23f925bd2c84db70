/*
 * When a usage limit is over, from a CLI's own words, in the forms that the vendors use:
 *
 *   |1794919595                                          seconds since 1970
 *   resets 12:46pm (UTC) · resets Nov 19, 3pm (Europe/Berlin)
 *   try again at 12:46 PM. · try again at Nov 19th, 2026 3:05 PM.
 *   will reset at 2026-11-17 13:01:39 +0000 UTC
 *   try again in 2 days 3 hours 5 minutes · reset after 3h12m5s · retry in 11520s
 *
 * A time of day without a day is the next one; without a zone it is that of this computer, where the CLI runs too. One that has
 * just passed says nothing: the vendor repeats its words, rounds, or has another clock, and nobody means tomorrow by it.
 */

/** Wall time in milliseconds; undefined when the words do not say, or not in a way that is known. */
export function readResetTime(words: string, now: Date): number | undefined {
  return readEpoch(words) ?? readIso(words) ?? readClock(words, now) ?? readSpan(words, now);
}

function readEpoch(words: string): number | undefined {
  const seconds = /\|(\d{10})\b/.exec(words)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function readIso(words: string): number | undefined {
  const [, day, time, zone] =
    /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(Z|UTC|[+-]\d\d:?\d\d)?/.exec(words) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const offset =
    zone === undefined ? "" : /^[+-]/.test(zone) ? zone.replace(/(\d\d):?(\d\d)$/, "$1:$2") : "Z";
  const at = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(at) ? undefined : at;
}

const clock =
  /\b(?:resets?|again|until)(?: at)? (?:(?<month>[A-Z][a-z]{2})[a-z]* (?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}),?)?(?: at)? )?(?<hour>\d{1,2})(?::(?<minute>\d\d))?\s?(?<half>[ap]m)?(?: \((?<zone>[\w/+-]+)\))?/i;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY = 24 * 3_600_000;
const JUST_NOW = 3_600_000;

function readClock(words: string, now: Date): number | undefined {
  const found = clock.exec(words)?.groups;
  // A bare number is no time of day.
  if (found === undefined || (found["half"] === undefined && found["minute"] === undefined)) return undefined;
  const half = found["half"]?.toLowerCase();
  const hour = (Number(found["hour"]) % (half === undefined ? 24 : 12)) + (half === "pm" ? 12 : 0);
  const minute = Number(found["minute"] ?? 0);
  const today = partsIn(found["zone"], now);
  if (today === undefined) return undefined;
  const month = months.indexOf(found["month"]?.toLowerCase() ?? "");
  if (month < 0) {
    const at = timeIn(found["zone"], { ...today, hour, minute });
    return at === undefined ? undefined : nextOfDay(at, now.getTime());
  }
  const date = { month, day: Number(found["day"]), hour, minute };
  const year = found["year"] === undefined ? today.year : Number(found["year"]);
  const at = timeIn(found["zone"], { year, ...date });
  // Without a year it is the next one of that day.
  const isPast = found["year"] === undefined && at !== undefined && at < now.getTime() - DAY;
  return isPast ? timeIn(found["zone"], { year: year + 1, ...date }) : at;
}

/** At this time of the day, whichever day: tomorrow, or none when it was just now. */
function nextOfDay(at: number, now: number): number | undefined {
  const ago = (((now - at) % DAY) + DAY) % DAY;
  return ago < JUST_NOW ? undefined : now - ago + DAY;
}

type Parts = { year: number; month: number; day: number; hour: number; minute: number };

/** What calendar and clock show at a moment in a zone; undefined of a zone that is not known. */
function partsIn(zone: string | undefined, at: Date): Parts | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      ...(zone === undefined ? {} : { timeZone: zone }),
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    const shown = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0;
    return {
      year: of("year"),
      month: of("month") - 1,
      day: of("day"),
      hour: of("hour"),
      minute: of("minute"),
    };
  } catch {
    return undefined;
  }
}

/** The moment at which calendar and clock of a zone show this. */
function timeIn(zone: string | undefined, { year, month, day, hour, minute }: Parts): number | undefined {
  const asUtc = Date.UTC(year, month, day, hour, minute);
  const shown = partsIn(zone, new Date(asUtc));
  if (shown === undefined) return undefined;
  const offset = Date.UTC(shown.year, shown.month, shown.day, shown.hour, shown.minute) - asUtc;
  return asUtc - offset;
}

const units: Readonly<Record<string, number>> = { d: DAY, h: 3_600_000, m: 60_000, s: 1000 };
const amount = String.raw`\d+(?:\.\d+)?\s?(?:d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)`;
const span = new RegExp(String.raw`\b(?:in|after) ((?:${amount}(?:,? and |,? )?)+)`, "i");

function readSpan(words: string, now: Date): number | undefined {
  const said = span.exec(words)?.[1];
  if (said === undefined) return undefined;
  let ms = 0;
  for (const [, amount = "0", unit = ""] of said.matchAll(/(\d+(?:\.\d+)?)\s?([dhms])/gi)) {
    ms += Number(amount) * (units[unit.toLowerCase()] ?? 0);
  }
  return ms > 0 ? now.getTime() + ms : undefined;
}
