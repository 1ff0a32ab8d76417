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
};
