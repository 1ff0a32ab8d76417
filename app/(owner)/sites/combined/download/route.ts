import { notFound } from "next/navigation";
import type { NextRequest } from "next/server";
import { principalOf } from "@/app/(owner)/access";
import { attachment, fileFor } from "@/app/(owner)/attachment";
import { paramsOf } from "@/components/reports/filters";
import { csvOf } from "@/components/reports/parts/csv";
import { execute } from "@/lib/gateway/execute";
import sitesCombined from "@/lib/operations/sites.combined";
import { sheetsOf } from "../sheets";
import { combinedInput, readCombined } from "../view";

/** Downloads the combined report: one of its tables as CSV, or the operation's whole response as JSON. */
export async function GET(request: NextRequest): Promise<Response> {
  return fileFor(request, async (owner) => {
    const query = paramsOf(request.nextUrl.searchParams);
    const view = readCombined(query);
    const input = combinedInput(view);
    const { data } = await execute(sitesCombined, {
      ...{ principal: principalOf(owner), input, now: new Date(), signal: request.signal },
    });
    const name = (part: string) => `combined-${part}-${data.from}-${data.to}`;
    if (query.format === "json")
      return attachment(JSON.stringify(data, null, 2), "application/json", `${name("report")}.json`);
    const sheet = sheetsOf(data, view).find(({ key }) => key === query.table) ?? notFound();
    return attachment(csvOf(sheet), "text/csv; charset=utf-8", `${name(sheet.key)}.csv`);
  });
}
