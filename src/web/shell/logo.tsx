export function Logo({ size = 18 }: { size?: number }) {
  return (
    <svg className="logo" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round">
        <path d="M3.2 7.6A7.2 7.2 0 0 1 7.4 3.3" />
        <path d="M12.6 3.3a7.2 7.2 0 0 1 4.2 4.3" />
        <path d="M16.6 12.9a7.2 7.2 0 0 1-13.2 0" />
      </g>
      <circle className="logo__dot" cx="10" cy="10" r="2.6" />
    </svg>
  );
}
