import type { Exempt, Protection } from "@/lib/testing/protections/protection";

const FILE = "lib/transfer/import-runs.test.ts";

/** Files that are uploaded for an import. */
export const UPLOADS: readonly (Protection | Exempt)[] = [
  {
    case: 243,
    file: "lib/transfer/archive.ts",
    find: "if (startsWith(start, ZIP) || startsWith(start, GZIP))",
    replace: "if (false)",
    test: { file: FILE, title: "an archive whose entries point out of a folder" },
  },
  {
    case: 244,
    file: "lib/transfer/archive.ts",
    find: "if (this.#announced > this.limits.bytes) throw tooLarge(archive, this.limits);",
    replace: "",
    test: { file: FILE, title: "an archive that unpacks to more than it says" },
  },
  {
    case: 245,
    file: "lib/transfer/archive.ts",
    find: "if (entry.isEncrypted())",
    replace: "if (false)",
    test: { file: FILE, title: "an encrypted, truncated or unknown archive" },
  },
  {
    case: 246,
    file: "lib/transfer/import-runs.ts",
    find: "where: { id: { in: [...fileIds] }, siteId, createdAt: { gt: since } },",
    replace: "where: { id: { in: [...fileIds] }, createdAt: { gt: since } },",
    test: { file: FILE, title: "uploads of other sites and by others than owners" },
  },
  {
    case: 247,
    file: "lib/transfer/uploads.ts",
    find: "if (held._count >= siteFiles || Number(held._sum.sizeBytes ?? 0) + size > siteBytes) {",
    replace: "if (held._count >= siteFiles) {",
    test: { file: FILE, title: "uploads are bounded by file, site and number" },
  },
];
