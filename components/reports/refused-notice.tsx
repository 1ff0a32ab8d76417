import type { QueryResult } from "@/components/reports/answers";
import { Failed } from "@/components/ui/failed";
import { Notice } from "@/components/ui/notice";
import { Refresh } from "@/components/ui/refresh";

const REFRESH_EVERY_MS = 2_000;

/** Error message of a report. While the site's events are being copied for reports, it shows progress and retries. */
export function RefusedNotice({ message, progress, retry }: Omit<Extract<QueryResult<never>, { ok: false }>, "ok">) {
  if (retry) return <Failed what="the lists" retry={retry} />;
  if (progress === undefined) return <Notice>{message}</Notice>;
  const percent = Math.round(progress * 100);
  return (
    <div role="status" className="space-y-2">
      <p>Preparing the site’s events for reports: {percent}% done. This page updates automatically.</p>
      <progress value={percent} max={100} aria-label="Prepared events" className="w-full max-w-md" />
      <Refresh everyMs={REFRESH_EVERY_MS} />
    </div>
  );
}
