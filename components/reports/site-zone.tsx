"use client";

import { useSyncExternalStore } from "react";
import { t } from "@/lib/texts/translate";

/** Note about the site's timezone if it differs from the reader's. Positioned absolutely to avoid a layout shift. */
export function SiteZone({ timezone }: { timezone: string }) {
  const differs = useSyncExternalStore(
    () => () => {},
    () => isAnotherClock(timezone),
    () => false,
  );
  if (!differs) return null;
  return (
    <p className="absolute top-full left-0 text-xs lg:right-0 lg:left-auto leading-4 whitespace-nowrap text-muted print:static">
      {t("Dates and times in {timezone}", { timezone: timezone.replaceAll("_", " ") })}
    </p>
  );
}

/** Compares UTC offsets in January and July, because different timezone names may have the same clock. */
function isAnotherClock(timeZone: string): boolean {
  const year = new Date().getFullYear();
  const clock = (zone: string | undefined) =>
    [0, 6].map((month) =>
      new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).format(new Date(year, month, 15)),
    );
  return `${clock(timeZone)}` !== `${clock(undefined)}`;
}
