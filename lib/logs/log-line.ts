import { readCaddy } from "@/lib/logs/caddy";
import { readCombined } from "@/lib/logs/combined";

/** A request, as a line of an access log tells it. */
export interface LogLine {
  /** Whose request it was; not always an IP address, since servers can be told to look names up. */
  address: string;
  /** The host that was asked for, where the format names it. */
  host: string | null;
  at: Date;
  method: string;
  /** Path and query, as they were asked for. */
  target: string;
  status: number;
  referrer: string | null;
  userAgent: string;
}

/** What a line says, or null when it is of no form that is known: "combined" of nginx and Apache, JSON of Caddy. */
export const readLogLine = (text: string): LogLine | null =>
  text.startsWith("{") ? readCaddy(text) : readCombined(text);

const FILES =
  /\.(avif|bmp|css|eot|gif|gz|ico|jpe?g|js|json|map|mjs|mp3|mp4|ogg|pdf|png|svg|ttf|txt|wasm|webm|webmanifest|webp|woff2?|xml|zip)$/i;

/** Whether somebody was shown a page: not a file, not a redirect, not an error, not an endpoint being posted to. */
export function isPage({ method, target, status }: LogLine): boolean {
  return method === "GET" && (status === 200 || status === 304) && !FILES.test(target.split("?", 1)[0] ?? "");
}
