import type { NextRequest } from "next/server";
import { ask, siteOrNotFound } from "@/app/(owner)/access";
import { attachment, fileFor } from "@/app/(owner)/attachment";
import sitesPrivacyRecord from "@/lib/operations/sites.privacy.record";
import { Refusal } from "@/lib/platform/errors";

interface Props {
  params: Promise<{ siteId: string }>;
}

/** Downloads the record of what a site stores of its visitors. Parameter: `?format=markdown|json`. */
export async function GET(request: NextRequest, { params }: Props): Promise<Response> {
  const { siteId } = await params;
  return fileFor(request, async (owner) => {
    const site = await siteOrNotFound(owner, siteId);
    const format = request.nextUrl.searchParams.get("format") ?? "markdown";
    if (format !== "markdown" && format !== "json")
      throw new Refusal("invalid_input", "format must be markdown or json.");
    const { markdown, ...record } = await ask(sitesPrivacyRecord, owner, { site_id: site.site_id });
    const name = `${record.domain}-privacy-record-${record.written_at.slice(0, 10)}`;
    return format === "markdown"
      ? attachment(markdown, "text/markdown; charset=utf-8", `${name}.md`)
      : attachment(`${JSON.stringify(record, null, 2)}\n`, "application/json", `${name}.json`);
  });
}
