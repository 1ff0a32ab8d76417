import { type Article, code, part, text } from "@/lib/publish/articles/article";
import { CADDY, NEXT, NGINX, TAG, WORKER } from "@/lib/publish/forwarding";

export const ownDomainArticle = (base: string): Article => ({
  slug: "own-domain",
  title: "Own domain",
  lead: "Serve the script and receive its events under your own domain, so that your pages contact no other host.",
  index: "forward the script and its events with nginx, Caddy, Next.js or Cloudflare",
  parts: [
    part(
      "tag",
      "How it works",
      text(
        "Choose two addresses on your domain, here `/numbers/read.js` for the script and `/numbers/in` for its events, and forward them to this service. Choose names of your own: public block lists match `script.js` and `api/event` wherever they are. The tag loads the script from the first and sends events to the second, by `data-api`.",
      ),
      code("the tag", TAG, "html"),
      text(
        "For the full tracker, forward `script.full.js` the same way. The proxy sends the events of all visitors, so [add its address](/docs/proxies) to the site: otherwise all visitors count as one. The configurations below replace an `X-Forwarded-For` that a visitor sends.",
      ),
      text(
        "The scripts and `/api/event` answer under any host name, so the proxy may send any `Host`. Pages and the other APIs answer 421 under foreign names and cannot be forwarded under your domain.",
      ),
    ),
    part(
      "nginx",
      "nginx",
      text(
        "Add this to the `server` block of your site. If nginx is behind another proxy, its realip module restores `$remote_addr`.",
      ),
      code("the locations for nginx", NGINX(base), "nginx"),
    ),
    part(
      "caddy",
      "Caddy",
      text("Add this to the block of your site."),
      code("the lines for Caddy", CADDY(base), "text"),
    ),
    part(
      "next",
      "Next.js",
      text(
        "Add this to `next.config.mjs`. Next.js forwards the headers it receives. Put a proxy in front of it that sets `X-Forwarded-For` to the visitor's address, otherwise visitors can forge it. The cookies of your site are forwarded too; this service ignores them. If they must not leave your site, or if Next.js runs on a platform without fixed addresses, [sign in a route handler](/docs/proxies#sign) at `/numbers/in` instead of the second rewrite.",
      ),
      code("the rewrites for Next.js", NEXT(base), "js"),
    ),
    part(
      "cloudflare",
      "Cloudflare",
      text(
        "Use a Worker on the route `example.com/numbers/*`. The Workers of all customers share the same addresses, so this one signs: add [Cloudflare's ranges](https://www.cloudflare.com/ips/) to the site with `require_signature`, and store the [signing key](/docs/proxies#sign) as the Worker's secret `FOOTFALL_SIGNING_KEY`.",
      ),
      code("the Worker for Cloudflare", WORKER(base), "js"),
    ),
  ],
});
