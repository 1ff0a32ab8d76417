import type { NextRequest } from "next/server";
import { principalOf } from "@/app/(owner)/access";
import { answerFile, fileFor } from "@/app/(owner)/attachment";
import { paramsOf } from "@/components/reports/filters";
import { execute } from "@/lib/gateway/execute";
import sitesCombined from "@/lib/operations/sites.combined";
import { sheetsOf } from "../sheets";
import { combinedInput, readCombinedView } from "../view";

/** Downloads the combined report: one of its tables as CSV, or the operation's whole response as JSON. */
export async function GET(request: NextRequest): Promise<Response> {
  return fileFor(request, async (owner) => {
    const query = paramsOf(request.nextUrl.searchParams);
    const view = readCombinedView(query);
    const input = combinedInput(view);
    const { data } = await execute(sitesCombined, {
      ...{ principal: principalOf(owner), input, now: new Date(), signal: request.signal },
    });
    const name = (part: string) => `${part}-${data.from}-${data.to}`;
    return answerFile(data, { query, sheets: sheetsOf(data, view), key: "combined", name });
  });
}
