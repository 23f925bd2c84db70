/*
 * What a link shows. Its text is whatever the writer wants it to be, so the address that it leads to stands beside it, whole,
 * as the browser understands it: with the real host, in ASCII.
 */

const ALLOWED: readonly string[] = ["http:", "https:", "mailto:"];

export type LinkFace =
  | {
      kind: "link";
      href: string /** Null when the text is the address. */;
      shown: string | null;
      warning: string | null;
    }
  /** Leads nowhere: the address is shown as text. */
  | { kind: "blocked"; shown: string };

export function faceOfLink(address: string, text: string): LinkFace {
  const url = readUrl(address);
  if (url === null || !ALLOWED.includes(url.protocol)) return { kind: "blocked", shown: address };
  const { href } = url;
  const said = text.trim();
  const isSame = said === address || said === href || said === trimSlash(href) || `mailto:${said}` === href;
  return { kind: "link", href, shown: isSame ? null : trimSlash(href), warning: warningOf(url, said) };
}

function readUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}

function warningOf(url: URL, text: string): string | null {
  if (url.username !== "" || url.password !== "") return `leads to ${url.host}, not to ${url.username}`;
  const claimed = readUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const looksLikeHost = /^[^\s/]+\.[^\s/]{2,}(?:\/\S*)?$|^https?:\/\/\S+$/i.test(text);
  if (looksLikeHost && claimed !== null && claimed.host !== url.host && url.protocol !== "mailto:")
    return `leads to ${url.host}`;
  if (url.hostname.split(".").some((part) => part.startsWith("xn--"))) return `the host is ${url.hostname}`;
  return null;
}

function trimSlash(href: string): string {
  return /^https?:\/\/[^/]+\/$/.test(href) ? href.slice(0, -1) : href;
}
