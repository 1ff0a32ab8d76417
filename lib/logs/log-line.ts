import { readCaddy } from "@/lib/logs/caddy";
import { readCombinedLine } from "@/lib/logs/combined";

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
  text.startsWith("{") ? readCaddy(text) : readCombinedLine(text);

const FILES =
  /\.(avif|bmp|css|eot|gif|gz|ico|jpe?g|js|json|map|mjs|mp3|mp4|ogg|pdf|png|svg|ttf|txt|wasm|webm|webmanifest|webp|woff2?|xml|zip)$/i;

/** Whether a request is for a page: not for a file, and not a POST. */
export const asksForPage = ({ method, target }: LogLine): boolean =>
  method === "GET" && !FILES.test(target.split("?", 1)[0] ?? "");

/** Whether a request was answered with a page, and not with a redirect or an error. */
export const gotPage = ({ status }: LogLine): boolean => status === 200 || status === 304;

/** Whether a request was answered with an error. */
export const gotError = ({ status }: LogLine): boolean => status >= 400 && status <= 599;
