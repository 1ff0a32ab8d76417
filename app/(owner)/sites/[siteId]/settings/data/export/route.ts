import { Readable } from "node:stream";
import type { NextRequest } from "next/server";
import { Refusal } from "@/lib/platform/errors";
import { exportEvents } from "@/lib/transfer/export";
import { FORMATS, type Format } from "@/lib/transfer/line";
import { signedInOwner, siteOrNotFound } from "../../../../../access";
import { attachment } from "../../../../../attachment";

interface Props {
  params: Promise<{ siteId: string }>;
}

/** All raw events of a site as a file that is made while it is sent: `?format=ndjson|csv`, `?after=<event_id>`. */
export async function GET(request: NextRequest, { params }: Props): Promise<Response> {
  const { siteId } = await params;
  const { pathname, search, searchParams } = request.nextUrl;
  const owner = await signedInOwner(pathname + search);
  const site = await siteOrNotFound(owner, siteId);
  const asked = searchParams.get("format") ?? "ndjson";
  const after = searchParams.get("after") || null;
  try {
    if (!isFormat(asked)) throw new Refusal("invalid_input", "format is one of ndjson, csv.");
    const requestId = crypto.randomUUID();
    const by = { personId: owner.personId, siteId: site.site_id, requestId, now: new Date() };
    const { chunks, type, fileName } = await exportEvents(by, { format: asked, after, signal: request.signal });
    // Made as fast as it is taken: whoever reads slowly keeps one page of it waiting, and nothing else.
    const body = Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream;
    return attachment(body, type, fileName);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return new Response(error.message, { status: error.status, headers: { "Cache-Control": "no-store" } });
  }
}

const isFormat = (asked: string): asked is Format => Object.hasOwn(FORMATS, asked);
