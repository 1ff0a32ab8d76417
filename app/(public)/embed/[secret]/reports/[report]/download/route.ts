export { GET } from "../../../../../s/[secret]/reports/[report]/download/route";
