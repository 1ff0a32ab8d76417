import type { Metadata } from "next";
import Link from "next/link";
import { Code } from "@/components/docs/code";
import { DocsPage, Part, Term } from "@/components/docs/prose";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Own domain" };

const TAG = `<script defer src="/numbers/script.js" data-domain="example.com"></script>`;

const NGINX = (base: string) => `location = /numbers/script.js {
  proxy_pass ${base}/script.js;
  proxy_set_header Cookie "";
  proxy_ssl_server_name on;
}
location = /numbers/api/event {
  proxy_pass ${base}/api/event;
  proxy_set_header Cookie "";
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_ssl_server_name on;
}`;

const CADDY = (base: string) => `handle_path /numbers/* {
  @footfall path /script.js /api/event
  reverse_proxy @footfall ${base} {
    header_up Host {upstream_hostport}
    header_up -Cookie
  }
}`;

const NEXT = (base: string) => `export default {
  async rewrites() {
    return [
      { source: "/numbers/script.js", destination: "${base}/script.js" },
      { source: "/numbers/api/event", destination: "${base}/api/event" },
    ];
  },
};`;

const CLOUDFLARE = (base: string) => `export default {
  async fetch(request) {
    const path = new URL(request.url).pathname.replace("/numbers", "");
    if (path !== "/script.js" && path !== "/api/event") return new Response(null, { status: 404 });
    const headers = new Headers(request.headers);
    headers.delete("Cookie");
    headers.set("X-Forwarded-For", request.headers.get("CF-Connecting-IP"));
    return fetch("${base}" + path, { method: request.method, headers, body: request.body });
  },
};`;

export default function OwnDomainDocs() {
  const base = env().BASE_URL;
  return (
    <DocsPage
      title="Own domain"
      lead="Serve the script and take its events under your own domain: nothing on your pages then asks another host."
    >
      <Part id="tag" title="How it fits together">
        <p>
          Choose a path, here <Term>/numbers</Term>, and pass two addresses under it on to this service. The tag names
          the script there; events go to <Term>api/event</Term> beside the script by themselves, or wherever{" "}
          <Term>data-api</Term> says.
        </p>
        <Code text={TAG} what="the tag" />
        <p>
          For the full tracker pass <Term>script.full.js</Term> on as well. Your proxy speaks for your visitors, so{" "}
          <Link href="/docs/proxies" className="text-accent underline">
            name its address
          </Link>{" "}
          to the site: without that, all of them count as one.
        </p>
      </Part>
      <Part id="nginx" title="nginx">
        <Code text={NGINX(base)} what="the locations for nginx" />
      </Part>
      <Part id="caddy" title="Caddy">
        <p>Caddy sets X-Forwarded-For by itself, and does not believe what a browser sent.</p>
        <Code text={CADDY(base)} what="the site block for Caddy" />
      </Part>
      <Part id="next" title="Next.js">
        <p>
          In <Term>next.config.mjs</Term>. Next hands X-Forwarded-For on as it got it, so let a platform or a proxy of
          yours that sets it stand in front.
        </p>
        <Code text={NEXT(base)} what="the rewrites for Next.js" />
      </Part>
      <Part id="cloudflare" title="Cloudflare">
        <p>
          A Worker on the route <Term>example.com/numbers/*</Term>. Workers of everybody leave from the same addresses,
          so do not trust those alone: set <Term>require_signature</Term> and{" "}
          <Link href="/docs/proxies#sign" className="text-accent underline">
            sign what it forwards
          </Link>
          .
        </p>
        <Code text={CLOUDFLARE(base)} what="the Worker for Cloudflare" />
      </Part>
    </DocsPage>
  );
}
