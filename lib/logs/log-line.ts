import { readCaddy } from "@/lib/logs/caddy";
import { readCombined } from "@/lib/logs/combined";

/** A request in an access log. */
export interface LogLine {
  /** Client address; a host name if the server is configured to resolve names. */
  address: string;
  /** Requested host; null if the format does not contain it. */
  host: string | null;
  at: Date;
  method: string;
  /** Requested path and query. */
  target: string;
  status: number;
  referrer: string | null;
  userAgent: string;
}

/** Parses a line in the "combined" format of nginx and Apache or Caddy's JSON; null for another format. */
export const readLogLine = (text: string): LogLine | null =>
  text.startsWith("{") ? readCaddy(text) : readCombined(text);

const FILES =
  /\.(avif|bmp|css|eot|gif|gz|ico|jpe?g|js|json|map|mjs|mp3|mp4|ogg|pdf|png|svg|ttf|txt|wasm|webm|webmanifest|webp|woff2?|xml|zip)$/i;

/** Whether a request is a pageview: not a file, redirect, error or POST. */
export function isPage({ method, target, status }: LogLine): boolean {
  return method === "GET" && (status === 200 || status === 304) && !FILES.test(target.split("?", 1)[0] ?? "");
}
