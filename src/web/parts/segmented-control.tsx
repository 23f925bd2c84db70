import type { ReactNode } from "react";
import "./segmented-control.css";

type Segment<T extends string> = { value: T; label: ReactNode; count?: number | undefined; off?: boolean };

/** One of a few. */
export function SegmentedControl<T extends string>({
  label,
  value,
  segments,
  onChange,
}: {
  label: string;
  value: T;
  segments: readonly Segment<T>[];
  onChange: (value: T) => void;
}) {
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">{label}</legend>
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          className="segmented__segment"
          aria-pressed={segment.value === value}
          disabled={segment.off === true}
          onClick={() => onChange(segment.value)}
        >
          {segment.label}
          {segment.count !== undefined && <span className="segmented__count">{segment.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
