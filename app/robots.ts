import type { MetadataRoute } from "next";

/** Paths of which nothing is for search engines: pages of people who are signed in, links with secrets, and APIs. */
const DISALLOWED = [
  ...["/account", "/admin", "/agents", "/approvals", "/device", "/oauth/", "/authorize", "/sites", "/teams"],
  ...["/confirm", "/confirm-identity", "/invite/", "/login", "/recipients/", "/reset", "/signup/", "/unsubscribe/"],
  ...[
    "/actions/",
    "/api/",
    "/docs/search",
    "/markdown/",
    "/translated",
    "/with-demo",
    "/mcp",
    "/metrics",
    "/register",
    "/token",
  ],
];

/** Crawlers read the landing page, the docs and texts for agents. Public dashboards say themselves that they are not listed. */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: "*", allow: "/", disallow: DISALLOWED } };
}
