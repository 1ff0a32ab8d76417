const MINUTE_MS = 60_000;
const UNITS = [
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
] as const;
/** What a page takes to appear must not turn "in a day" into "in 23 hours". */
const SLACK_MS = 30_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** "20 Nov 2026, 16:04" in UTC. Written out by hand: server and browsers carry different editions of Intl's words. */
export function formatMoment(at: Date): string {
  const time = at.toISOString().slice(11, 16);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${time}`;
}

/** "4 minutes ago" and "in 23 hours"; beyond a week the moment itself. */
function formatDistance(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  const size = Math.abs(ms);
  if (size > WEEK_MS) return `${ms > 0 ? "on " : ""}${formatMoment(at)} UTC`;
  if (size < MINUTE_MS) return ms > 0 ? "in less than a minute" : "just now";
  const slackMs = ms > 0 ? SLACK_MS : 0;
  const [unit, length] = UNITS.find(([, unitMs]) => size >= unitMs - slackMs) ?? ["minute", MINUTE_MS];
  const count = ms > 0 ? Math.round(size / length) : Math.floor(size / length);
  const words = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return ms > 0 ? `in ${words}` : `${words} ago`;
}

/** A moment as a person says it; the exact one is there for those who point at it. */
export const When = ({ at, now }: { at: Date; now: Date }) => (
  <time dateTime={at.toISOString()} title={`${at.toISOString().slice(0, 19).replace("T", " ")} UTC`}>
    {formatDistance(at, now)}
  </time>
);
