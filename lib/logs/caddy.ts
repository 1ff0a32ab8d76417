import { z } from "zod";
import type { LogLine } from "@/lib/logs/log-line";

/** The fields of Caddy's JSON access log that we read. `client_ip` respects `trusted_proxies` since Caddy 2.7. */
const shape = z.object({
  ts: z.number(),
  status: z.int(),
  request: z.object({
    remote_ip: z.string(),
    client_ip: z.string().optional(),
    host: z.string(),
    method: z.string(),
    uri: z.string().min(1),
    headers: z.record(z.string(), z.array(z.string())),
  }),
});

/** Parses a line of Caddy's access log (default JSON encoder, times in seconds); null for another format. */
export function readCaddy(text: string): LogLine | null {
  const parsed = shape.safeParse(parse(text));
  if (!parsed.success) return null;
  const { ts, status, request } = parsed.data;
  const at = new Date(ts * 1000);
  if (Number.isNaN(at.getTime())) return null;
  return {
    address: request.client_ip ?? request.remote_ip,
    host: request.host.replace(/:\d+$/, ""),
    at,
    method: request.method,
    target: request.uri,
    status,
    referrer: request.headers.Referer?.[0] || null,
    userAgent: request.headers["User-Agent"]?.[0] ?? "",
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
