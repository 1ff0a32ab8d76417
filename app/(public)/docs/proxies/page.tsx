import type { Metadata } from "next";
import Link from "next/link";
import { Code } from "@/components/docs/code";
import { Glossary } from "@/components/docs/parameters";
import { DocsPage, Part, Term } from "@/components/docs/prose";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Proxies" };

const NGINX = (base: string) => `location = /api/event {
  proxy_pass ${base}/api/event;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header User-Agent $http_user_agent;
  proxy_set_header Host ${new URL(base).host};
  proxy_ssl_server_name on;
}`;

const SIGN = (base: string) => `import { createHash, createHmac } from "node:crypto";

export async function forward({ key, body, ip, userAgent }) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const signature = createHmac("sha256", key)
    .update(timestamp + "\\n" + ip + "\\n" + bodyHash)
    .digest("hex");
  return fetch("${base}/api/event", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      "X-Forwarded-For": ip,
      "X-Footfall-Timestamp": timestamp,
      "X-Footfall-Signature": signature,
    },
    body,
  });
}`;

const HEADERS: [string, string][] = [
  ["X-Forwarded-For", "The visitor. The last entry that is no trusted proxy counts; what stands before it does not."],
  ["X-Footfall-Timestamp", "Unix seconds or RFC 3339, at most five minutes old and one minute ahead."],
  [
    "X-Footfall-Signature",
    "Lowercase hex HMAC-SHA256, under the whole signing key as text (ffs_…), of timestamp, newline, the address as it stands in X-Forwarded-For, newline, and the SHA-256 of the raw body in lowercase hex.",
  ],
];

const REFUSALS: [string, string][] = [
  ["422 X-Forwarded-For", "Its last entry is no IP address. A port does not belong there."],
  ["422 X-Footfall-Timestamp", "Missing, not a time, or not of the last five minutes."],
  ["422 X-Footfall-Signature", "Missing, or not made of exactly these bytes with the present key or the one before."],
];

export default function ProxiesDocs() {
  const base = env().BASE_URL;
  return (
    <DocsPage
      title="Proxies"
      lead="When events pass through a server of yours, that server says whose they are. Otherwise all of its visitors count as one."
    >
      <Part id="trust" title="Name your proxies">
        <p>
          An owner, or an agent with an owner&rsquo;s approval, lists their addresses with{" "}
          <Term>sites.proxy.update</Term> in the{" "}
          <Link href="/docs/api" className="text-accent underline">
            API
          </Link>
          . From these addresses, and from no other, an event may name its visitor. A change is heeded within ten
          seconds.
        </p>
        <Code text={NGINX(base)} what="the location for nginx" />
        <p>
          Set <Term>X-Forwarded-For</Term> as shown, in place of what the browser sent. Without that header an event
          counts as the proxy&rsquo;s own.
        </p>
      </Part>
      <Part id="sign" title="Sign what you forward">
        <p>
          With <Term>require_signature</Term> the address alone is not enough: each event that names a visitor needs a
          signature by the site&rsquo;s signing key, which <Term>rotate_signing_key</Term> makes and shows once. The key
          before it counts for 24 more hours.
        </p>
        <Glossary rows={HEADERS} />
        <p>In Node:</p>
        <Code text={SIGN(base)} what="the function that signs" />
      </Part>
      <Part id="errors" title="When it is refused">
        <Glossary rows={REFUSALS} />
        <p>Each is counted with its reason under Exclusions in the settings of the site.</p>
      </Part>
    </DocsPage>
  );
}
