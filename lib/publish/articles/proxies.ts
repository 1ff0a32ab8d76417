import { type Article, code, part, terms, text } from "@/lib/publish/articles/article";
import { FORWARD, SIGN_PHP, SIGN_PYTHON } from "@/lib/publish/forwarding";
import { randomHex } from "@/lib/publish/random-hex";

const call = (base: string) => `KEY=${randomHex(16)}
BODY='{"site_id":1,"trusted_proxy_ips":["192.0.2.10"],"require_signature":false}'
curl -sS "${base}/api/v1/management/actions/sites.proxy.update" -d "$BODY" \\
  -H "Authorization: Bearer $ACCESS_TOKEN" -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $KEY"`;

const HEADERS: [string, string][] = [
  [
    "X-Forwarded-For",
    "The visitor's address: the last entry that is not a trusted proxy. Earlier entries are ignored.",
  ],
  ["X-Footfall-Timestamp", "Unix seconds or RFC 3339, at most five minutes old and one minute ahead."],
  [
    "X-Footfall-Signature",
    "Lowercase hex HMAC-SHA256 with the whole signing key as text (ffs_…) over: timestamp, newline, the address as in X-Forwarded-For, newline, lowercase hex SHA-256 of the raw body.",
  ],
];

const REFUSALS: [string, string][] = [
  [
    "422 X-Forwarded-For",
    "The last entry that is not a proxy is not an IP address. A port after it and brackets around IPv6 are removed first.",
  ],
  ["422 X-Footfall-Timestamp", "Missing, not a time, older than five minutes, or more than a minute ahead."],
  [
    "422 X-Footfall-Signature",
    "Missing, or not computed over exactly these bytes with the current or the previous key.",
  ],
];

export const proxiesArticle = (base: string): Article => ({
  slug: "proxies",
  title: "Proxies",
  lead: "If your own server forwards events, it must pass on each visitor's address. Otherwise all of its visitors count as one.",
  index: "trusted proxies of a site and signed X-Forwarded-For",
  parts: [
    part(
      "trust",
      "Add your proxies",
      text(
        "An owner adds their addresses under Proxies in the site's settings, or an agent calls `sites.proxy.update` with an owner's approval. Only these addresses may pass on the address of a visitor. A change takes effect within ten seconds.",
      ),
      code("the call", call(base)),
      text(
        "The first answer is 409 `approval_required`. After the approval, repeat the call with the same key and body, and send the approval's id as `X-Agent-Approval-ID`. [Agents](/docs/agents) explains tokens and approvals.",
      ),
      text(
        "Let the proxy set `X-Forwarded-For` to the address of its visitor and replace what the browser sent. [Own domain](/docs/own-domain) has configurations for nginx, Caddy, Next.js and Cloudflare. An event without that header is counted, but not as the visit of one visitor.",
      ),
    ),
    part(
      "sign",
      "Sign forwarded events",
      text(
        "With `require_signature`, each event that passes on an address needs a signature with the site's signing key. `rotate_signing_key` creates the key, which only its answer has. The previous key stays valid for 24 hours.",
      ),
      terms(HEADERS),
      text(
        "In Node.js, with the request of a route handler. The forwarded headers carry opt-out signals and distinguish browsers from bots:",
      ),
      code("the function that signs in Node", FORWARD(base), "js"),
      text("In Python and PHP, the headers to add to the forwarded request. The body must be the received bytes:"),
      code("the function that signs in Python", SIGN_PYTHON, "python"),
      code("the function that signs in PHP", SIGN_PHP, "php"),
    ),
    part(
      "errors",
      "Errors",
      terms(REFUSALS),
      text("The site's settings count each of them with its reason under Exclusions."),
    ),
  ],
});
