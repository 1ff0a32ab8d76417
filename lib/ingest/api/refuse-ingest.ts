import { CORS, type IngestSurface } from "@/lib/ingest/api/requests";
import { refusedAsSegment } from "@/lib/ingest/compat/segment";
import { refusedAsUmami } from "@/lib/ingest/compat/umami";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/** Returns the refusal of a request that no handler has seen, in the form of its client. Pages may read it. */
export function refuseIngest(
  error: unknown,
  surface: IngestSurface | "key",
  request: Pick<Incoming, "header">,
): Answer {
  const isOfPages = surface === "event" || surface === "umami" || surface === "umami_batch";
  const refused = refuse(error, requestIdOf(request), { headers: isOfPages ? CORS : {} });
  if (surface.startsWith("umami")) return refusedAsUmami(refused);
  return surface.startsWith("segment") ? refusedAsSegment(refused) : refused;
}
