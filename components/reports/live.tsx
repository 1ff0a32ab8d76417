"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";
import { formatExactly } from "@/components/reports/format";
import { useNow, usePulse } from "@/components/reports/use-pulse";
import type { Beat } from "@/lib/sites/pulse";

const REFRESH_EVERY_MS = 3000;
const FRESH_MS = 5 * 60_000;

interface Props {
  at: string;
  first: Beat;
  growing: boolean;
  /** The address of the report about the present, where there is one. */
  realtime?: string;
}

/**
 * Keeps the dashboard true while it is looked at: a new event brings new numbers, the first at once,
 * then at most every three seconds. A range that is over (`growing` is false) stays as it is.
 */
export function Live({ at, first, growing, realtime }: Props) {
  const { last_event_at: lastEvent, present } = usePulse(at, first);
  const router = useRouter();
  const [, start] = useTransition();
  const shown = useRef(first.last_event_at);
  const refreshedAt = useRef(0);
  const now = useNow(1000);

  useEffect(() => {
    if (!growing || lastEvent === shown.current) return;
    const wait = Math.max(0, refreshedAt.current + REFRESH_EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      shown.current = lastEvent;
      refreshedAt.current = Date.now();
      start(() => router.refresh());
    }, wait);
    return () => clearTimeout(timer);
  }, [lastEvent, growing, router]);

  if (!lastEvent) return null;
  const age = now === null ? null : Math.max(0, now - Date.parse(lastEvent));
  const fresh = age !== null && age < FRESH_MS;
  return (
    <div className="flex items-center gap-x-3 text-sm whitespace-nowrap text-muted tabular-nums">
      <Present {...{ present, fresh, realtime }} />
      {/* Its room is kept until the browser's clock is known. */}
      <p className={age === null ? "invisible" : ""}>Last event {ago(age ?? 0)}</p>
    </div>
  );
}

/**
 * How many are there: where that leads on, in the top right corner of the page, beside the reports (which leave no room
 * for it on a screen of 1024 to 1279 pixels); elsewhere in its place.
 */
function Present({ present, fresh, realtime }: { present: number; fresh: boolean; realtime: string | undefined }) {
  const words = (
    <>
      <span className="relative flex size-2" aria-hidden="true">
        {fresh && <span className="absolute size-full animate-ping rounded-full bg-good opacity-60" />}
        <span className={`size-2 rounded-full ${fresh ? "bg-good" : "bg-line-strong"}`} />
      </span>
      <span>
        {formatExactly(present)}{" "}
        <span className={realtime && "xl:sr-only"}>{present === 1 ? "visitor" : "visitors"}</span> now
      </span>
    </>
  );
  const look = "flex items-center gap-2 font-medium text-ink";
  if (!realtime) return <p className={look}>{words}</p>;
  return (
    <Link
      href={realtime}
      prefetch={false}
      className={`${look} rounded-md hover:text-accent max-lg:absolute xl:absolute right-0 bottom-full mb-3.5 lg:max-xl:mb-0 h-9 print:hidden`}
      title="Who did anything in the last five minutes"
    >
      {words}
    </Link>
  );
}

function ago(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? "yesterday" : `${days} days ago`;
}
