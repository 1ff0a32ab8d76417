import { type FunnelStep, stepName } from "@/lib/contract/funnel-steps";
import { legiblePath } from "@/lib/platform/legible";

/** "24 hours", "3 days", "90 minutes". */
export function formatWindow(minutes: number): string {
  const [count, unit] =
    minutes % 1440 === 0 && minutes > 1440
      ? [minutes / 1440, "day"]
      : minutes % 60 === 0
        ? [minutes / 60, "hour"]
        : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** "/pricing → Signed up, within 24 hours". */
export const describeFunnel = ({ steps, windowMinutes }: { steps: FunnelStep[]; windowMinutes: number }): string =>
  `${steps.map((step) => legiblePath(stepName(step))).join(" → ")}, within ${formatWindow(windowMinutes)}`;
