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
  // `npm test` checks the types of the whole tree; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // A page is loaded when somebody asks for it: 30 MB less for a server at which nobody looks.
    preloadEntriesOnStart: false,
    // A build is made once, from everything: what would be kept for the next one costs a third of its time and 130 MB.
    turbopackFileSystemCacheForBuild: false,
    // Node reads none of them unless it is told to, and browsers get none.
    turbopackSourceMaps: process.env.NODE_ENV === "development",
  },
};
