import { memo } from "react";

const WIDTH = 4;
const STEP = 6;
const HEIGHT = 16;

/** Ten minutes as bars, to the scale of all rows; a minute without a message is a dash. */
export const MinuteBars = memo(function MinuteBars({ minutes, scale }: { minutes: string; scale: number }) {
  const counts = minutes.split(",").map(Number);
  return (
    <svg
      className="minute-bars"
      viewBox={`0 0 ${counts.length * STEP - 2} ${HEIGHT}`}
      width={counts.length * STEP - 2}
      height={HEIGHT}
      role="img"
      aria-label={`Messages in each of the last ten minutes: ${minutes.replaceAll(",", ", ")}`}
    >
      <path className="minute-bars__none" d={drawBars(counts, (count) => (count === 0 ? 1.5 : 0))} />
      <path
        className="minute-bars__some"
        d={drawBars(counts, (count) =>
          count === 0 ? 0 : Math.max(2.5, (Math.min(count, scale) / scale) * HEIGHT),
        )}
      />
    </svg>
  );
});

function drawBars(counts: readonly number[], heightOf: (count: number) => number): string {
  return counts
    .map((count, at) => {
      const height = heightOf(count);
      return height === 0 ? "" : `M${at * STEP} ${HEIGHT}v${-height}h${WIDTH}v${height}z`;
    })
    .join("");
}
