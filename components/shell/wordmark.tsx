/** The logo (two footprints) and the name. */
export function Wordmark({ narrow }: { narrow: boolean }) {
  return (
    <span className="flex items-center gap-2 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className="size-6 shrink-0" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <g className="fill-accent-ink">
          <ellipse cx="11.2" cy="18.6" rx="3.5" ry="5.6" transform="rotate(-9 11.2 18.6)" />
          <circle cx="11.9" cy="26.2" r="2" />
          <ellipse cx="20.6" cy="10.6" rx="3.5" ry="5.6" transform="rotate(9 20.6 10.6)" />
          <circle cx="19.7" cy="18.4" r="2" />
        </g>
      </svg>
      <span className={narrow ? "max-sm:sr-only" : ""}>Footfall</span>
    </span>
  );
}
