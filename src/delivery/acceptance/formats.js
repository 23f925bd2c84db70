// The formats of JSON Schema that answers are checked for. Others say nothing, as the specification has it.
import { isIPv4, isIPv6 } from "node:net";

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const EMAIL = /^[^\s@"(),:;<>[\\\]]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i;
const HOST =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** @param {string} text */
function isDate(text) {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
}

/** @type {Record<string, (text: string) => boolean>} */
export const formats = {
  date: isDate,
  time: (text) => TIME.test(text),
  "date-time": (text) => /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11)),
  email: (text) => EMAIL.test(text),
  hostname: (text) => HOST.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  uri: (text) => SCHEME.test(text) && !/\s/.test(text) && URL.canParse(text),
  uuid: (text) => UUID.test(text),
  regex(text) {
    try {
      new RegExp(text, "u");
      return true;
    } catch {
      return false;
    }
  },
};
