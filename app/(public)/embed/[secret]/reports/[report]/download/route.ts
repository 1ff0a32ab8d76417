export { GET } from "@/app/(public)/s/[secret]/reports/[report]/download/route";
