"use client";

import { useSyncExternalStore } from "react";

/** Says in which zone days and hours are, where that is not the reader's own. It lies in a gap, so that nothing moves. */
export function SiteZone({ timezone }: { timezone: string }) {
  const differs = useSyncExternalStore(
    () => () => {},
    () => isAnotherClock(timezone),
    () => false,
  );
  if (!differs) return null;
  return (
    <p className="absolute top-full left-0 text-xs lg:right-0 lg:left-auto leading-4 whitespace-nowrap text-muted print:static">
      Days and hours in {timezone.replaceAll("_", " ")}
    </p>
  );
}

/** Names differ where clocks do not: they are compared in the middle of winter and of summer. */
function isAnotherClock(timeZone: string): boolean {
  const year = new Date().getFullYear();
  const clock = (zone: string | undefined) =>
    [0, 6].map((month) =>
      new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).format(new Date(year, month, 15)),
    );
  return `${clock(timeZone)}` !== `${clock(undefined)}`;
}
