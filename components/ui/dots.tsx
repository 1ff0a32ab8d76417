/** A pulsing dot beside what is waited for. */
export const WaitingDot = () => (
  <span className="relative m-1.5 flex size-3 shrink-0" aria-hidden="true">
    <span className="absolute size-full animate-ping rounded-full bg-accent opacity-50" />
    <span className="size-3 rounded-full bg-accent" />
  </span>
);

/** A dot beside the number of current visitors, green and pulsing while it is live. */
export const PresentDot = ({ isLive, size }: { isLive: boolean; size: "size-2" | "size-2.5" }) => (
  <span className={`relative flex ${size}`} aria-hidden="true">
    {isLive && <span className="absolute size-full animate-ping rounded-full bg-good opacity-60" />}
    <span className={`${size} rounded-full ${isLive ? "bg-good" : "bg-line-strong"}`} />
  </span>
);
