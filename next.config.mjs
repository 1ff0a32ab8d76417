import { contentSecurityPolicy } from "./lib/platform/http/content-security-policy.mjs";

const dev = process.env.NODE_ENV === "development";

const policy = (scripts) => ({
  key: "Content-Security-Policy",
  value: contentSecurityPolicy({ scripts, framedBy: "'none'", dev }),
});

/** Headers of every response of Next. `proxy.ts` replaces the policy on pages that are rendered per request. */
const EVERYWHERE = [
  policy([]),
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "browsing-topics=(), camera=(), geolocation=(), microphone=()" },
];

/** Headers of the tracker, which pages of other sites load. Under `npm start` the fast path answers for it. */
const TRACKER = [
  { key: "Access-Control-Allow-Origin", value: "*" },
  { key: "Cross-Origin-Resource-Policy", value: "cross-origin" },
  { key: "Cache-Control", value: "public, max-age=3600, stale-while-revalidate=86400" },
];

/** Headers of prerendered pages. */
const STATIC = [
  // Prerendered HTML has no nonce, and Next puts its data into inline scripts. See docs/adr/0002-static-pages.md.
  policy(["'unsafe-inline'"]),
  // Next lets shared caches keep these pages for a year, beyond the next deploy. Their ETags make asking cheap.
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
  ],
  headers: async () => [
    { source: "/:path*", headers: EVERYWHERE },
    // Other sites may frame a public dashboard, /share/<domain>, and nothing else.
    { source: "/((?!share/[^/]+/?$).*)", headers: [{ key: "X-Frame-Options", value: "DENY" }] },
    // The token in such a path is a secret: not even our own pages may learn it from a referrer.
    {
      source: "/(reset|invite|signup|confirm|unsubscribe)/:token+",
      headers: [{ key: "Referrer-Policy", value: "no-referrer" }],
    },
    { source: "/:file(script.js|script.full.js|footfall.mjs)", headers: TRACKER },
    { source: "/", headers: STATIC },
    { source: "/docs", headers: STATIC },
    { source: "/docs/:path((?!.*\\.md$).*)", headers: STATIC },
  ],
  // Each page of the docs has a Markdown version at its own address with .md at the end.
  rewrites: async () => ({ beforeFiles: [{ source: "/docs/:path*.md", destination: "/markdown/:path*" }] }),
  // `npm test` checks the types of the whole tree; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // app/global-not-found.tsx. Next renders app/not-found.tsx within every page: one of them dynamic makes all so.
    globalNotFound: true,
    // A page is loaded when somebody asks for it: 30 MB less for a server at which nobody looks.
    preloadEntriesOnStart: false,
    // A build is made once, from everything: what would be kept for the next one costs a third of its time and 130 MB.
    turbopackFileSystemCacheForBuild: false,
    // Node reads none of them unless it is told to, and browsers get none.
    turbopackSourceMaps: dev,
  },
};
