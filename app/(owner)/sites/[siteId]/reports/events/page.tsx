import { EventsReport } from "@/components/reports/pages/events";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("events");

const EventsPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="events"
    body={({ answer, sheets }) => <EventsReport answer={answer} sheets={sheets} />}
  />
);

export default EventsPage;
