import { defineReport } from "@/components/reports/definition";
import { realtimeSheets } from "@/components/reports/realtime/sheets";
import analyticsRealtime from "@/lib/operations/analytics.realtime";

export default defineReport({
  op: analyticsRealtime,
  sheets: realtimeSheets,
  says: () => null,
  alone: true,
  now: true,
  async body({ answer }) {
    const { LazyRealtimeReport } = await import("@/components/reports/realtime/lazy-parts");
    return <LazyRealtimeReport key={answer.cursor} first={answer} />;
  },
});
