/** Answered: the one thing here that is green. */
export function DoneMark() {
  return (
    <svg className="done-mark" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path
        d="M1.8 6.4 4.6 9.2 10.4 2.9"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
