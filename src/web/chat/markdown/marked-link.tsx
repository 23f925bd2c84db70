import { ExternalLink, Image, TriangleAlert } from "lucide-react";
import { ShownText } from "../../parts/shown-text.js";
import { faceOfLink } from "./link-face.js";

type Props = { href: string; text: string; isImage: boolean };

/** A link of somebody else's: marked, and with the address that it really leads to. */
export function MarkedLink({ href, text, isImage }: Props) {
  const face = faceOfLink(href, text);
  if (face.kind === "blocked")
    return (
      <span className="blocked-link">
        <ShownText text={text} />
      </span>
    );
  const Mark = isImage ? Image : ExternalLink;
  return (
    <a className="marked-link" href={face.href} target="_blank" rel="noopener noreferrer nofollow">
      <Mark className="marked-link__icon" size={12} aria-hidden="true" />
      <span className="marked-link__text">
        <ShownText text={text === "" ? face.href : text} />
      </span>
      {face.shown === null ? null : <span className="marked-link__address">{face.shown}</span>}
      {face.warning === null ? null : (
        <span className="marked-link__warning">
          <TriangleAlert size={12} aria-hidden="true" /> {face.warning}
        </span>
      )}
    </a>
  );
}
