import { defineReport } from "@/components/reports/definition";
import { realtimeSheets } from "@/components/reports/realtime/sheets";
import { REPORTS } from "@/lib/contract/reports";
import analyticsRealtime from "@/lib/operations/analytics.realtime";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Realtime"),
  about: REPORTS.realtime.about,
  op: analyticsRealtime,
  sheets: realtimeSheets,
  says: () => null,
  alone: true,
  now: true,
  async body({ answer }) {
    const { RealtimeReport } = await import("@/components/reports/realtime/lazy-parts");
    return <RealtimeReport key={answer.cursor} first={answer} />;
  },
});
