import "./segment-bar.css";

export type BarTone = "green" | "blue" | "amber" | "red" | "grey" | "strong";

/** How much of something is what, as a bar: the words stand beside it, so that it says nothing to a screen reader. */
export function SegmentBar({
  segments,
  width,
  tick,
}: {
  /** Each as a part of one. */
  segments: readonly { tone: BarTone; part: number }[];
  /** As wide as there is room without. */
  width?: number | undefined;
  /** A mark at this part of it. */
  tick?: number | undefined;
}) {
  return (
    <span className="segment-bar" aria-hidden="true" style={width === undefined ? undefined : { width }}>
      <span className="segment-bar__ground">
        {segments.map(({ tone, part }, at) => (
          <span
            key={at}
            className={`segment-bar__part segment-bar__part--${tone}`}
            style={{ width: `${(Math.max(0, Math.min(1, part)) * 100).toFixed(2)}%` }}
          />
        ))}
      </span>
      {tick !== undefined && (
        <span className="segment-bar__tick" style={{ left: `${(tick * 100).toFixed(2)}%` }} />
      )}
    </span>
  );
}
