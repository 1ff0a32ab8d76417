import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { DocsPage, Part, Term } from "@/components/docs/prose";
import { CADDY, NEXT, NGINX, TAG, WORKER } from "@/lib/publish/forwarding";

export const metadata: Metadata = { title: "Own domain" };

export default function OwnDomainDocs() {
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
          For the full tracker pass <Term>script.full.js</Term> on in the same way. Your proxy speaks for your visitors,
          so{" "}
          <a href="/docs/proxies" className="text-accent underline">
            name its address
          </a>{" "}
          to the site: without that, all of them count as one. What a visitor claims in X-Forwarded-For is replaced on
          the way.
        </p>
        <p>
          The scripts and <Term>/api/event</Term> answer under any host name, so the proxy may send <Term>Host</Term> as
          it likes. Pages and the other APIs answer 421 under names that are not this server&rsquo;s: they cannot be
          passed on under your domain.
        </p>
      </Part>
      <Part id="nginx" title="nginx">
        <p>
          Within the <Term>server</Term> of your site. Where nginx itself stands behind another proxy, its realip module
          restores <Term>$remote_addr</Term>.
        </p>
        <Code text={NGINX(PLACEHOLDER_ORIGIN)} what="the locations for nginx" />
      </Part>
      <Part id="caddy" title="Caddy">
        <p>Within the block of your site.</p>
        <Code text={CADDY(PLACEHOLDER_ORIGIN)} what="the lines for Caddy" />
      </Part>
      <Part id="next" title="Next.js">
        <p>
          In <Term>next.config.mjs</Term>. Next hands on what it gets. Put a proxy in front that sets X-Forwarded-For to
          the visitor&rsquo;s address, or anybody can choose theirs. The cookies of your site go along as well; nobody
          reads them here. Where they must not, or where Next runs on a platform without addresses of its own,{" "}
          <a href="/docs/proxies#sign" className="text-accent underline">
            sign in a route handler
          </a>{" "}
          at <Term>/numbers/api/event</Term> in the place of the second rewrite.
        </p>
        <Code text={NEXT(PLACEHOLDER_ORIGIN)} what="the rewrites for Next.js" />
      </Part>
      <Part id="cloudflare" title="Cloudflare">
        <p>
          A Worker on the route <Term>example.com/numbers/*</Term>. Everybody&rsquo;s Workers leave from the same
          addresses, so it signs: name{" "}
          <a href="https://www.cloudflare.com/ips/" className="text-accent underline">
            Cloudflare&rsquo;s ranges
          </a>{" "}
          to the site with <Term>require_signature</Term>, and give the Worker the{" "}
          <a href="/docs/proxies#sign" className="text-accent underline">
            signing key
          </a>{" "}
          as its secret <Term>FOOTFALL_SIGNING_KEY</Term>.
        </p>
        <Code text={WORKER(PLACEHOLDER_ORIGIN)} what="the Worker for Cloudflare" />
      </Part>
    </DocsPage>
  );
}
