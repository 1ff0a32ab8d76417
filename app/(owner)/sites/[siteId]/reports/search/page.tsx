import { SearchReport } from "@/components/reports/pages/search";
import { type PageProps, ReportPage, titleOf } from "../report";

export const generateMetadata = titleOf("search");

const SearchPage = (props: PageProps) => (
  <ReportPage
    {...props}
    report="search"
    body={({ answer, sheets }) => <SearchReport answer={answer} sheets={sheets} />}
  />
);

export default SearchPage;
