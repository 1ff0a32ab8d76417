/** A line of nginx's or Apache's "combined" access log. */
export interface LogLine {
  address: string;
  method: string;
  /** Path and query, as they were asked for. */
  target: string;
  status: number;
  referrer: string | null;
  userAgent: string;
}

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
/** Some servers put the host in front, and some fields of their own behind. */
const COMBINED = new RegExp(`^(?:\\S+:\\d+ )?(\\S+) \\S+ .*?\\[[^\\]]+\\] ${QUOTED} (\\d{3}) \\S+ ${QUOTED} ${QUOTED}`);

/** What a line says, or null when it is none of that form. */
export function readLogLine(line: string): LogLine | null {
  const [, address, request, status, referrer, userAgent] = COMBINED.exec(line) ?? [];
  const [, method, target] = /^(\S+) (\S+)/.exec(request ?? "") ?? [];
  if (!address || !method || !target || referrer === undefined || userAgent === undefined) return null;
  const said = plain(referrer);
  return {
    address,
    method,
    target,
    status: Number(status),
    referrer: said === "" || said === "-" ? null : said,
    userAgent: userAgent === "-" ? "" : plain(userAgent),
  };
}

/** `\"` and `\x22`, as the servers write what could end the field. */
const plain = (text: string): string =>
  text.replace(/\\x([0-9a-fA-F]{2})|\\(.)/g, (_, hex: string | undefined, escaped: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : escaped,
  );

const FILES =
  /\.(avif|bmp|css|eot|gif|gz|ico|jpe?g|js|json|map|mjs|mp3|mp4|ogg|pdf|png|svg|ttf|txt|wasm|webm|webmanifest|webp|woff2?|xml|zip)$/i;

/** Whether somebody was shown a page: not a file, not a redirect, not an error, not an endpoint being posted to. */
export function isPage({ method, target, status }: LogLine): boolean {
  return method === "GET" && (status === 200 || status === 304) && !FILES.test(target.split("?", 1)[0] ?? "");
}
