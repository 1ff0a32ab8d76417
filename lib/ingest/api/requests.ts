import type { Answer } from "@/lib/platform/http/http";

/** What the thread that serves HTTP has to know of requests to both APIs. */

/** Maximum body size of one event, and of a batch. */
export const EVENT_LIMIT_BYTES = 64 * 1024;
export const BATCH_LIMIT_BYTES = 1024 * 1024;

/** Lets pages read `Retry-After`. */
export const CORS = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" };

/** Answers the CORS preflight request that precedes JSON from another origin. */
export function preflight(): Answer {
  return {
    status: 204,
    headers: {
      ...CORS,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, authorization, x-request-id",
      "access-control-max-age": "86400",
    },
    body: "",
  };
}
