import { type FunnelStep, stepName } from "@/lib/contract/funnel-steps";
import { legiblePath } from "@/lib/platform/legible";
import { t } from "@/lib/texts/translate";

/** "24 hours", "3 days", "90 minutes". */
export function formatWindow(minutes: number): string {
  if (minutes % 1440 === 0 && minutes > 1440) {
    return t("{count, plural, one {# day} other {# days}}", { count: minutes / 1440 });
  }
  if (minutes % 60 === 0) return t("{count, plural, one {# hour} other {# hours}}", { count: minutes / 60 });
  return t("{count, plural, one {# minute} other {# minutes}}", { count: minutes });
}

/** "/pricing → Signed up, within 24 hours". */
export const funnelInWords = ({ steps, windowMinutes }: { steps: FunnelStep[]; windowMinutes: number }): string =>
  t("{steps}, within {time}", {
    steps: steps.map((step) => legiblePath(stepName(step))).join(" → "),
    time: formatWindow(windowMinutes),
  });
