import { contentSecurityPolicy } from "./lib/platform/http/content-security-policy.mjs";
import { JSON_TYPE } from "./lib/platform/http/json-type.mjs";

const dev = process.env.NODE_ENV === "development";

const policy = (scripts) => ({
  key: "Content-Security-Policy",
  value: contentSecurityPolicy({ scripts, framedBy: "'none'", dev }),
});

/** Headers of every Next response. `proxy.ts` replaces the policy on pages that are rendered per request. */
const EVERYWHERE = [
  policy([]),
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "browsing-topics=(), camera=(), geolocation=(), microphone=()" },
];

/** Headers of the tracker scripts, which other sites load. Under `npm start` the fast path serves them. */
const TRACKER = [
  { key: "Access-Control-Allow-Origin", value: "*" },
  { key: "Cross-Origin-Resource-Policy", value: "cross-origin" },
  { key: "Cache-Control", value: "public, max-age=3600, stale-while-revalidate=86400" },
];

/** Headers of prerendered pages. */
const STATIC = [
  // Prerendered HTML has no nonce, and Next puts its data into inline scripts. See docs/adr/0002-static-pages.md.
  policy(["'unsafe-inline'"]),
  // By default Next lets shared caches keep these pages for a year, past the next deploy. ETags keep revalidation
  // cheap.
  ...(dev ? [] : [{ key: "Cache-Control", value: "public, max-age=0, must-revalidate" }]),
];

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  skipTrailingSlashRedirect: true,
  serverExternalPackages: [
    "pg",
    "@prisma/client",
    "@prisma/adapter-pg",
    "@node-rs/argon2",
    "pino",
    "pino-pretty",
    "cephes",
    "pdfkit",
    "fontkit",
  ],
  headers: async () => [
    { source: "/:path*", headers: EVERYWHERE },
    // Other sites may embed only public dashboards (/share/<domain>) and links that are made for it in a frame.
    {
      source: "/((?!share/[^/]+/?$|embed/[^/]+(?:/reports/[^/]+)?/?$).*)",
      headers: [{ key: "X-Frame-Options", value: "DENY" }],
    },
    // Assistants on the web open these pages in a window of theirs, and wait there for the answer. With another policy, the
    // browser would cut the two windows from each other for good.
    {
      source: "/:page(oauth/authorize|authorize|login)",
      headers: [{ key: "Cross-Origin-Opener-Policy", value: "unsafe-none" }],
    },
    // The token in these paths is a secret and must not leak through the Referer header, not even to our own pages.
    {
      source: "/(reset|invite|signup|confirm|unsubscribe)/:token+",
      headers: [{ key: "Referrer-Policy", value: "no-referrer" }],
    },
    {
      source: "/api/v1/management/downloads/:ticket",
      headers: [{ key: "Referrer-Policy", value: "no-referrer" }],
    },
    // The secret in these paths gives access to numbers: it must not leak, and the pages must not be found or kept.
    {
      source: "/:kind(s|embed)/:path+",
      headers: [
        { key: "Referrer-Policy", value: "no-referrer" },
        { key: "X-Robots-Tag", value: "noindex, nofollow" },
        { key: "Cache-Control", value: "private, no-store" },
      ],
    },
    { source: "/embed.js", headers: TRACKER },
    { source: "/:file(script.js|script.full.js|footfall.mjs|umami.js)", headers: TRACKER },
    { source: "/js/:file", headers: TRACKER },
    { source: "/:page(with-demo|translated)?", headers: STATIC },
    { source: "/docs", headers: STATIC },
    { source: "/docs/:path((?!search/?$|.*\\.md$).*)", headers: STATIC },
  ],
  // Each page of the docs has a Markdown version at its URL with .md at the end.
  rewrites: async () => ({
    beforeFiles: [
      { source: "/docs/:path*.md", destination: "/markdown/:path*" },
      // People who open an address below /v1 that takes no events see a page, as at other unknown addresses.
      {
        source: "/v1/((?!(?:batch|track|page|screen|identify|alias|group)$).*)",
        has: [{ type: "header", key: "accept", value: ".*text/html.*" }],
        destination: "/v1",
      },
      // Phones ask for these addresses without reading the page.
      ...["", "-precomposed"].map((kind) => ({
        source: `/apple-touch-icon${kind}.png`,
        destination: "/apple-icon.png",
      })),
      // Some MCP clients do not read the metadata of the authorization server, and expect these addresses.
      ...["authorize", "token", "register"].map((name) => ({ source: `/${name}`, destination: `/oauth/${name}` })),
      // Some append the well-known path to a resource instead of inserting it (RFC 9728 section 3.1), or ask at the root.
      {
        source: "/:resource(mcp|api/v1/management)/.well-known/oauth-protected-resource",
        destination: "/.well-known/oauth-protected-resource/:resource",
      },
      {
        source: "/.well-known/oauth-protected-resource",
        destination: "/.well-known/oauth-protected-resource/mcp",
      },
    ],
    // Unknown addresses answer programs in JSON, as below /api, and people with a page.
    fallback: [
      { type: "header", key: "accept", value: `(?!.*text/html).*${JSON_TYPE}.*` },
      { type: "header", key: "content-type", value: `.*${JSON_TYPE}.*` },
    ].map((header) => ({ source: "/:path*", has: [header], destination: "/api/unknown" })),
  }),
  // `npm run typecheck` and `npm test` check types, so a build does not check them again.
  typescript: { ignoreBuildErrors: true },
  // AGENTS.md is ours: `next dev` must not write into it.
  agentRules: false,
  experimental: {
    // Enables app/global-not-found.tsx. Next renders app/not-found.tsx within every page, so a dynamic one makes every
    // page dynamic.
    globalNotFound: true,
    // Pages are loaded on first request, which saves 30 MB on a server that only ingests events.
    preloadEntriesOnStart: false,
    // Builds always start from scratch here: the cache would cost a third of the build time and 130 MB.
    turbopackFileSystemCacheForBuild: false,
    // Production does not use source maps: Node ignores them by default, and browsers get none.
    turbopackSourceMaps: dev,
  },
};
