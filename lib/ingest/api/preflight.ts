import type { Answer } from "@/lib/platform/http/http";

/** Pages may read when to come again. */
export const CORS = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" };

/** What browsers ask before a page of another origin may post JSON. */
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
