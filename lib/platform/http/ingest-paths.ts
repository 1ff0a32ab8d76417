/** The paths that take events, ours and those of other products' clients. */
export const INGEST_PATHS = [
  "/api/event",
  "/api/v1/events",
  "/api/send",
  "/api/batch",
  "/v1/batch",
  "/v1/track",
  "/v1/page",
  "/v1/screen",
  "/v1/identify",
  "/v1/alias",
  "/v1/group",
] as const;
