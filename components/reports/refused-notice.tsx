import type { QueryResult } from "@/components/reports/answers";
import { Failed } from "@/components/ui/failed";
import { Notice } from "@/components/ui/notice";
import { Refresh } from "@/components/ui/refresh";
import { formatPercent } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

interface Props extends Omit<Extract<QueryResult<never>, { ok: false }>, "ok"> {
  /** What was refused, as the end of a sentence: "the numbers". */
  what?: string;
}

const REFRESH_EVERY_MS = 2_000;

/** Error message of a report, with a button if it may work at the next try. While the site's events are being copied for reports, it shows progress and retries. */
export function RefusedNotice({ what = t("this report"), message, progress, retry, temporary }: Props) {
  if (retry || temporary) return <Failed what={what} retry={retry} why={temporary && message} />;
  if (progress === undefined) return <Notice>{message}</Notice>;
  return (
    <div role="status" className="mx-auto max-w-md space-y-3 px-4 py-10 text-center text-sm">
      <p className="text-lg font-semibold">{t("Preparing the reports of this site")}</p>
      <progress
        value={progress}
        max={1}
        aria-label={t("Events that are prepared")}
        className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-muted tabular-nums">
        {t("{share} done. This page updates by itself.", { share: formatPercent(progress) })}
      </p>
      <Refresh everyMs={REFRESH_EVERY_MS} />
    </div>
  );
}
