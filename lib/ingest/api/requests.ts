import { refusedAsSegment } from "@/lib/ingest/compat/segment";
import { refusedAsUmami } from "@/lib/ingest/compat/umami";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import type { INGEST_PATHS } from "@/lib/platform/http/ingest-paths";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/** What the thread that serves HTTP has to know of requests to the APIs that take events, and how it refuses them. */

/** Maximum body size of one event, and of a batch. */
export const EVENT_LIMIT_BYTES = 64 * 1024;
export const BATCH_LIMIT_BYTES = 1024 * 1024;
/** A batch from pages, which have no key: less may fill memory. */
export const PAGE_BATCH_LIMIT_BYTES = 256 * 1024;

/** The APIs that take events. */
export type IngestSurface =
  | "event"
  | "batch"
  | "umami"
  | "umami_batch"
  | "segment_batch"
  | "segment_track"
  | "segment_page"
  | "segment_screen"
  | "segment_identify"
  | "segment_alias"
  | "segment_group";

interface IngestRoute {
  surface: IngestSurface;
  limit: number;
  /** Whether pages of other origins send to it. */
  fromPages: boolean;
}

/** As much as Segment takes. */
export const SEGMENT_LIMIT_BYTES = 512 * 1024;
const segment = (surface: IngestSurface): IngestRoute => ({ surface, limit: SEGMENT_LIMIT_BYTES, fromPages: false });

const ROUTES: Readonly<Record<(typeof INGEST_PATHS)[number], IngestRoute>> = {
  "/api/event": { surface: "event", limit: EVENT_LIMIT_BYTES, fromPages: true },
  "/api/v1/events": { surface: "batch", limit: BATCH_LIMIT_BYTES, fromPages: false },
  "/api/send": { surface: "umami", limit: EVENT_LIMIT_BYTES, fromPages: true },
  "/api/batch": { surface: "umami_batch", limit: PAGE_BATCH_LIMIT_BYTES, fromPages: true },
  "/v1/batch": segment("segment_batch"),
  "/v1/track": segment("segment_track"),
  "/v1/page": segment("segment_page"),
  "/v1/screen": segment("segment_screen"),
  "/v1/identify": segment("segment_identify"),
  "/v1/alias": segment("segment_alias"),
  "/v1/group": segment("segment_group"),
};
/** The paths that take events, ours and those of other products' clients. */
export const INGEST_ROUTES: Readonly<Partial<Record<string, IngestRoute>>> = ROUTES;

const PATHS = Object.fromEntries(Object.entries(ROUTES).map(([path, { surface }]) => [surface, path]));
/** Returns the path of an API. */
export const pathOfSurface = (surface: IngestSurface): string => PATHS[surface] as string;

/** Lets pages read `Retry-After`. */
export const CORS = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" };

/** Answers the CORS preflight request that precedes JSON from another origin. */
export function preflight(): Answer {
  return {
    status: 204,
    headers: {
      ...CORS,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, authorization, x-request-id, x-umami-cache",
      "access-control-max-age": "86400",
    },
    body: "",
  };
}

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
