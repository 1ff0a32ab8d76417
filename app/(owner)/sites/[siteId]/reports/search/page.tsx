import { SearchReport } from "@/components/reports/pages/search";
import { reportPage, titleOf } from "../report";

export const generateMetadata = titleOf("search");

export default reportPage("search", ({ answer, sheets }) => <SearchReport answer={answer} sheets={sheets} />);
