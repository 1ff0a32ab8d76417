import { defineReport } from "@/components/reports/definition";
import { eventSheets } from "@/components/reports/events/sheets";
import analyticsEvents from "@/lib/operations/analytics.events";

export default defineReport({
  title: "Events",
  op: analyticsEvents,
  sheets: eventSheets,
  async body({ answer, sheets }) {
    const { EventsReport } = await import("@/components/reports/events/body");
    return <EventsReport answer={answer} sheets={sheets} />;
  },
});
