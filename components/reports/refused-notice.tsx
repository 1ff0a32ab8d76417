import type { QueryResult } from "@/components/reports/answers";
import { Failed } from "@/components/ui/failed";
import { Notice } from "@/components/ui/notice";
import { Refresh } from "@/components/ui/refresh";

const REFRESH_EVERY_MS = 2_000;

/** Why there is no answer. Where the site's events are still being copied for reports, it shows how far that is, and asks again. */
export function RefusedNotice({ message, progress, retry }: Omit<Extract<QueryResult<never>, { ok: false }>, "ok">) {
  if (retry) return <Failed what="the lists" retry={retry} />;
  if (progress === undefined) return <Notice>{message}</Notice>;
  const percent = Math.round(progress * 100);
  return (
    <div role="status" className="space-y-2">
      <p>The site's events are being prepared for reports: {percent} % are done. This page goes on by itself.</p>
      <progress value={percent} max={100} aria-label="Events that are prepared" className="w-full max-w-md" />
      <Refresh everyMs={REFRESH_EVERY_MS} />
    </div>
  );
}
