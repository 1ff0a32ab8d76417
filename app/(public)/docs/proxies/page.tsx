import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { Glossary } from "@/components/docs/parameters";
import { DocsPage, Part, Term } from "@/components/docs/prose";
import { FORWARD, SIGN_PHP, SIGN_PYTHON } from "@/lib/publish/forwarding";

export const metadata: Metadata = { title: "Proxies" };

const CALL = (base: string) => `KEY=$(openssl rand -hex 16)
BODY='{"site_id":1,"trusted_proxy_ips":["192.0.2.10"],"require_signature":false}'
curl -sS "${base}/api/v1/management/actions/sites.proxy.update" -d "$BODY" \\
  -H "Authorization: Bearer $ACCESS_TOKEN" -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $KEY"`;

const HEADERS: [string, string][] = [
  ["X-Forwarded-For", "The visitor. The last entry that is no trusted proxy counts; what stands before it does not."],
  ["X-Footfall-Timestamp", "Unix seconds or RFC 3339, at most five minutes old and one minute ahead."],
  [
    "X-Footfall-Signature",
    "Lowercase hex HMAC-SHA256, under the whole signing key as text (ffs_…), of timestamp, newline, the address as it stands in X-Forwarded-For, newline, and the SHA-256 of the raw body in lowercase hex.",
  ],
];

const REFUSALS: [string, string][] = [
  [
    "422 X-Forwarded-For",
    "Its last entry that is no proxy is no IP address. A port behind it, and brackets around IPv6, are taken off.",
  ],
  ["422 X-Footfall-Timestamp", "Missing, not a time, older than five minutes, or more than a minute ahead."],
  ["422 X-Footfall-Signature", "Missing, or not made of exactly these bytes with the present key or the one before."],
];

export default function ProxiesDocs() {
  return (
    <DocsPage
      title="Proxies"
      lead="When events pass through a server of yours, that server says whose they are. Otherwise all of its visitors count as one."
    >
      <Part id="trust" title="Name your proxies">
        <p>
          An owner lists their addresses under Proxies in the settings of the site, or an agent with an owner&rsquo;s
          approval does with <Term>sites.proxy.update</Term> in the{" "}
          <a href="/docs/api" className="text-accent underline">
            API
          </a>
          . From these addresses, and from no other, an event may name its visitor. A change is heeded within ten
          seconds.
        </p>
        <Code text={CALL(PLACEHOLDER_ORIGIN)} what="the call" />
        <p>
          The first answer is 409 <Term>approval_required</Term>. Once the approval is given, the same call with the
          same key and body and the approval&rsquo;s id in <Term>X-Agent-Approval-ID</Term> does it;{" "}
          <a href="/docs/agents" className="text-accent underline">
            for agents
          </a>{" "}
          tells how to come by a token and an approval.
        </p>
        <p>
          Let the proxy set <Term>X-Forwarded-For</Term> to the address of its visitor, in place of what the browser
          sent; the blocks for nginx, Caddy, Next.js and Cloudflare stand under{" "}
          <a href="/docs/own-domain" className="text-accent underline">
            Own domain
          </a>
          . An event without that header counts, and is nobody&rsquo;s visit in particular.
        </p>
      </Part>
      <Part id="sign" title="Sign what you forward">
        <p>
          With <Term>require_signature</Term> the address alone is not enough: each event that names a visitor needs a
          signature by the site&rsquo;s signing key, which <Term>rotate_signing_key</Term> makes and shows once. The key
          before it counts for 24 more hours.
        </p>
        <Glossary rows={HEADERS} />
        <p>
          In Node, as a route handler has the request; the headers that it passes on say who asks not to be counted, and
          tell browsers from robots:
        </p>
        <Code text={FORWARD(PLACEHOLDER_ORIGIN)} what="the function that signs in Node" />
        <p>In Python and in PHP, the headers to add to what is forwarded; the body is the bytes as they came:</p>
        <Code text={SIGN_PYTHON} what="the function that signs in Python" />
        <Code text={SIGN_PHP} what="the function that signs in PHP" />
      </Part>
      <Part id="errors" title="When it is refused">
        <Glossary rows={REFUSALS} />
        <p>Each is counted with its reason under Exclusions in the settings of the site.</p>
      </Part>
    </DocsPage>
  );
}
