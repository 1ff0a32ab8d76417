import type { NextRequest } from "next/server";
import { principalOf, siteOrNotFound } from "@/app/(owner)/access";
import { exportFile, fileFor } from "@/app/(owner)/attachment";
import { Refusal } from "@/lib/platform/errors";
import { checkExport, exportEvents } from "@/lib/transfer/export";
import { exportTotals } from "@/lib/transfer/export-totals";
import { FORMATS, type Format } from "@/lib/transfer/line";

interface Props {
  params: Promise<{ siteId: string }>;
}

/**
 * Streams all raw events of a site as a file, or its imported totals. Parameters: `?format=ndjson|csv|parquet`, `?after=<event_id>`,
 * `?content=imported`, `?check`.
 */
export async function GET(request: NextRequest, { params }: Props): Promise<Response> {
  const { siteId } = await params;
  const { searchParams } = request.nextUrl;
  return fileFor(request, async (owner) => {
    const site = await siteOrNotFound(owner, siteId);
    const format = searchParams.get("format") ?? "ndjson";
    const after = searchParams.get("after") || null;
    if (!isFormat(format)) throw new Refusal("invalid_input", `format must be ${Object.keys(FORMATS).join(" or ")}.`);
    const by = {
      principal: principalOf(owner),
      siteId: site.site_id,
      requestId: crypto.randomUUID(),
      now: new Date(),
    };
    if (searchParams.has("check")) {
      await checkExport(by, after);
      return new Response(null, { status: 204 });
    }
    if (searchParams.get("content") === "imported") return exportFile(await exportTotals(by, request.signal));
    return exportFile(await exportEvents(by, { format, after, signal: request.signal }));
  });
}

const isFormat = (format: string): format is Format => Object.hasOwn(FORMATS, format);
