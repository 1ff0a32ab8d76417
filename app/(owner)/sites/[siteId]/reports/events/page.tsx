import { EventsReport } from "@/components/reports/pages/events";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("events");

export default reportPage("events", ({ answer, sheets }) => <EventsReport answer={answer} sheets={sheets} />);
