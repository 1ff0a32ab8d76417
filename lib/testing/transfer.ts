import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { db } from "@/lib/platform/db";
import type { TestSite } from "@/lib/testing/world";
import { openFiles } from "@/lib/transfer/archive";
import type { Service } from "@/lib/transfer/daily-sums";
import { exportEvents } from "@/lib/transfer/export";
import { importEvents } from "@/lib/transfer/import-events";
import { importSums } from "@/lib/transfer/import-sums";
import type { Format } from "@/lib/transfer/line";
import { readExportFile } from "@/lib/transfer/read-export";

/** Exports and imports whole sites. */

/** Returns the export file of a site. */
export async function exported(
  site: TestSite,
  now: Date,
  { format = "ndjson" as Format, after = null as string | null } = {},
): Promise<string> {
  const by = { personId: site.ownerId, siteId: site.id, requestId: "test", now };
  let text = "";
  for await (const chunk of (await exportEvents(by, { format, after })).chunks) text += chunk;
  return text;
}

/** Imports an export of any format into a site, by a file. */
export async function reimported(from: TestSite, into: TestSite, format: Format, now: Date, timezone = "UTC") {
  const by = { personId: from.ownerId, siteId: from.id, requestId: "test", now };
  const folder = await mkdtemp(path.join(tmpdir(), "footfall-export-"));
  try {
    const file = path.join(folder, `events.${format}`);
    await writeFile(file, (await exportEvents(by, { format, after: null })).chunks);
    return await importEvents(readExportFile(file), { siteId: into.id, timezone, pageQuery: [], host: into.host, now });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Imports the text of an export into a site. */
export const imported = (site: TestSite, text: string, timezone = "UTC", now = new Date()) =>
  importEvents(linesOf(text), { siteId: site.id, timezone, pageQuery: [], host: site.host, now });

/** Imports the files of another service into a site, given by their names, as uploads are read. */
export async function importFiles(
  site: TestSite,
  service: Service,
  files: Record<string, string | Uint8Array>,
  timezone = "UTC",
  now = new Date(),
) {
  const { pageQuery } = await db().site.findUniqueOrThrow({ where: { id: site.id } });
  const folder = await mkdtemp(path.join(tmpdir(), "footfall-import-"));
  try {
    const uploads = Object.entries(files).map(async ([name, content], index) => {
      const file = path.join(folder, String(index));
      await writeFile(file, content);
      return { name, path: file, bytes: Buffer.byteLength(content) };
    });
    const opened = await openFiles(await Promise.all(uploads));
    try {
      const sent = opened.files.map(({ name, lines }) => ({ name, lines: lines() }));
      return await importSums(service, sent, { siteId: site.id, timezone, pageQuery, host: site.host, now });
    } finally {
      await opened.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function* linesOf(text: string) {
  for (const line of text.split("\n")) yield { text: line };
}
