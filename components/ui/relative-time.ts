import { MINUTE_MS } from "@/lib/platform/durations";
import { perLocale } from "@/lib/platform/locale";
import { currentLanguage, t } from "@/lib/texts/translate";

const UNITS = [
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
  ["second", 1000],
] as const;
/** Tolerance for the load time of the page, which must not turn "in 1 day" into "in 23 hours". */
const SLACK_MS = 30_000;

const words = perLocale(() => new Intl.RelativeTimeFormat(currentLanguage()));

/** Returns "4 minutes ago", "in 23 hours" or "just now". @param ms milliseconds from now; negative for the past */
export function formatRelative(ms: number): string {
  const size = Math.abs(ms);
  if (size < MINUTE_MS && ms > 0) return t("in less than a minute");
  if (size < 2000) return t("just now");
  const slackMs = ms > 0 ? SLACK_MS : 0;
  const [unit, length] = UNITS.find(([, unitMs]) => size >= unitMs - slackMs) ?? ["second", 1000];
  const count = ms > 0 ? Math.round(size / length) : Math.floor(size / length);
  return words().format(ms > 0 ? count : -count, unit);
}
