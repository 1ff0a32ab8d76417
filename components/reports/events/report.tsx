import { defineReport } from "@/components/reports/definition";
import { eventsSay } from "@/components/reports/events/says";
import { eventSheets } from "@/components/reports/events/sheets";
import analyticsEvents from "@/lib/operations/analytics.events";

export default defineReport({
  op: analyticsEvents,
  sheets: eventSheets,
  says: eventsSay,
  async body({ answer, sheets }) {
    const { EventsReport } = await import("@/components/reports/events/body");
    return <EventsReport answer={answer} sheets={sheets} />;
  },
});
