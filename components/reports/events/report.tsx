import { defineReport } from "@/components/reports/definition";
import { eventsSay } from "@/components/reports/events/says";
import { eventSheets } from "@/components/reports/events/sheets";
import { REPORTS } from "@/lib/contract/reports";
import analyticsEvents from "@/lib/operations/analytics.events";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Events"),
  about: REPORTS.events.about,
  op: analyticsEvents,
  sheets: eventSheets,
  says: eventsSay,
  async body({ answer, sheets }) {
    const { EventsReport } = await import("@/components/reports/events/body");
    return <EventsReport answer={answer} sheets={sheets} />;
  },
});
