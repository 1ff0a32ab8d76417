import { z } from "zod";
import type { LogLine } from "@/lib/logs/log-line";

/** The parts of Caddy's JSON access log that are read. `client_ip` heeds its `trusted_proxies`, since 2.7. */
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

/** Reads a line of Caddy's access log (`log` with its default JSON encoder and times in seconds); null when it is none. */
export function readCaddy(text: string): LogLine | null {
  const read = shape.safeParse(parse(text));
  if (!read.success) return null;
  const { ts, status, request } = read.data;
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
