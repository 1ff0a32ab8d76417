import UserAgent from "user-agents";
import { HOST } from "@/bench/support/bench-server";

/** The requests that wrk sends: typical traffic from pages and servers. */

const AGENTS = 400;

/** Nine of ten events are pageviews, on 500 paths with a skewed distribution; four events per visitor. */
const pathOf = (n: number) =>
  `/${["blog", "docs", "shop"][n % 3]}/page-${Math.floor((500 * ((n * 7919) % 1000) ** 2) / 1e6)}`;
const localeOf = (n: number) => ["en-GB", "de-DE", "fr-FR"][n % 3];
const quote = (text: string) => `[==[${text}]==]`;
const list = (texts: string[]) => `{ ${texts.map(quote).join(",\n")} }`;

/**
 * Returns a script that sends one event per request, like a browser on a page of `host`: with Origin, languages and,
 * for Chromium, client hints.
 */
export function singleScript(host = HOST): string {
  const agents = Array.from({ length: AGENTS }, () => new UserAgent().toString());
  const referrers = [
    "https://www.google.com/",
    "https://news.ycombinator.com/item",
    "https://t.co/x",
    "https://blog.example.org/post",
  ];
  const bodies = Array.from({ length: 4000 }, (_, i) => {
    const page = pathOf(i);
    return JSON.stringify({
      domain: host,
      name: i % 10 === 9 ? "Add to cart" : "pageview",
      url: `https://${host}${page}${i % 12 === 0 ? "?utm_source=newsletter&utm_medium=email" : ""}`,
      title: `Page ${page}`,
      screen: "1512x982",
      language: localeOf(i),
      ...(i % 3 === 0 ? { referrer: referrers[i % referrers.length] } : {}),
      ...(i % 10 === 9 ? { props: { sku: `A-${i % 40}`, quantity: 1 + (i % 3) } } : {}),
    });
  });
  const headers = agents.map((agent) => `User-Agent: ${agent}\r\n${hintsOf(agent)}`);
  return `
    local bodies = ${list(bodies)}
    local headers = ${list(headers.map((text) => text.replaceAll("\r\n", "|")))}
    for i = 1, #headers do headers[i] = headers[i]:gsub("|", "\\r\\n") end
    local started = ${Math.floor(Math.random() * 2 ** 20)}
    local n = 0
    function request()
      n = n + 1
      local visitor = started + math.floor(n / 4)
      local address = 11 + visitor % 89 .. "." .. math.floor(visitor / 89) % 251 .. "." .. math.floor(visitor / 22339) % 251 .. "." .. visitor % 241
      local body = bodies[n % #bodies + 1]
      return "POST " .. wrk.path .. " HTTP/1.1\\r\\nHost: localhost\\r\\nOrigin: https://${host}\\r\\nContent-Type: text/plain\\r\\nAccept-Language: en-GB,en;q=0.9\\r\\n"
        .. headers[visitor % #headers + 1] .. "X-Forwarded-For: " .. address .. "\\r\\nContent-Length: " .. #body .. "\\r\\n\\r\\n" .. body
    end`;
}

/** Returns the client hints of a Chromium user agent. */
function hintsOf(agent: string): string {
  const version = /\bChrome\/(\d+)/.exec(agent)?.[1];
  if (version === undefined) return "";
  const platform = /Android/.test(agent) ? "Android" : /Windows/.test(agent) ? "Windows" : "macOS";
  const brands = `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not?A_Brand";v="24"`;
  const mobile = platform === "Android" ? "?1" : "?0";
  return `sec-ch-ua: ${brands}\r\nsec-ch-ua-mobile: ${mobile}\r\nsec-ch-ua-platform: "${platform}"\r\n`;
}

/**
 * Returns a script that sends batches of one size to the Measurement Protocol: four events per visitor, with enough
 * keys in rotation to stay below their limits.
 *
 * @param ids whether each event has an id, so that it could be sent again.
 */
export function batchScript(keys: string[], size: number, ids: boolean): string {
  const agents = Array.from({ length: AGENTS }, () => new UserAgent().toString());
  const bodies = Array.from({ length: Math.max(40, Math.floor(4000 / size)) }, (_, batch) => {
    const events = Array.from({ length: size }, (_, at) => {
      const n = batch * size + at;
      const page = pathOf(n);
      const context = {
        page: { url: `https://${HOST}${page}`, title: `Page ${page}` },
        locale: localeOf(n),
        user_agent: agents[Math.floor(n / 4) % agents.length],
        session_id: `ROUND-${Math.floor(n / 4)}`,
      };
      const id = ids ? { event_id: `event-ROUND-${n}` } : {};
      return n % 10 === 9
        ? { type: "event", ...id, name: "Add to cart", properties: { sku: `A-${n % 40}`, quantity: 1 }, context }
        : { type: "page", ...id, context };
    });
    return JSON.stringify({ events });
  });
  return `
    local bodies = ${list(bodies)}
    local keys = ${list(keys.slice(0, Math.max(100, keys.length / size)))}
    local round = ${Math.floor(Math.random() * 2 ** 30)}
    local n = 0
    function request()
      n = n + 1
      if n % #bodies == 0 then round = round + 1 end
      local body = bodies[n % #bodies + 1]:gsub("ROUND", round)
      return "POST " .. wrk.path .. " HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\nAuthorization: Bearer "
        .. keys[n % #keys + 1] .. "\\r\\nContent-Length: " .. #body .. "\\r\\n\\r\\n" .. body
    end`;
}
