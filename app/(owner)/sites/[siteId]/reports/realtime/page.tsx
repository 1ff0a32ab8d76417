import { RealtimeReport } from "@/components/reports/pages/realtime";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("realtime");

export default reportPage("realtime", ({ answer }) => <RealtimeReport key={answer.cursor} first={answer} />);
