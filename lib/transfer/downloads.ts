import { z } from "zod";
import type { Principal } from "@/lib/contract/define";
import { about } from "@/lib/contract/fields";
import type { ReportKey } from "@/lib/contract/reports";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { seal, unseal } from "@/lib/platform/secrets";
import type { Format } from "@/lib/transfer/line";

/**
 * Addresses of files for agents, which need no token: whoever has one downloads what its caller could, for a few minutes. What is
 * asked for is sealed into the address, so nothing is stored, and nobody can change or guess it (ADR 34).
 */

export const DOWNLOADS = "/api/v1/management/downloads";
const LIFETIME_MS = 10 * 60_000;
/** Servers and proxies take addresses of at least 8,000 bytes (RFC 9110 section 4.1); base64 adds a third. */
const MAX_BYTES = 5_000;
const PLACE = "download";

export const REPORT_FORMATS = { csv: "text/csv", pdf: "application/pdf", json: "application/json" } as const;
export type ReportFormat = keyof typeof REPORT_FORMATS;

/** What is downloaded. */
export type Wanted =
  | { events: Format; after: string | null }
  | { imported: "csv" }
  /** `query` is the one of the report's page. */
  | { report: ReportKey; format: ReportFormat; table: string | null; query: Record<string, string> };

/** A download of a caller. */
export interface Download {
  principal: Principal;
  siteId: number;
  wanted: Wanted;
}

export const downloadShape = z
  .object({
    url: about(
      z.string(),
      "Where to GET the file; a secret until it expires",
      `https://stats.example.com${DOWNLOADS}/AQJrMfS0…`,
    ),
    expires_at: about(z.iso.datetime(), "When the address expires; a running download goes on", "2026-11-20T09:40:00Z"),
  })
  .meta({ id: "Download" });

/** Returns the address of a download. @throws Refusal `invalid_input` if it would be too long */
export function downloadAddress(download: Download, now: Date): z.infer<typeof downloadShape> {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const text = JSON.stringify({ ...download, expiresAt: expiresAt.getTime() });
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw invalidInput([
      { path: "filters", message: "are too long for an address; save them as a segment, and send its id" },
    ]);
  const ticket = seal(Buffer.from(text), PLACE).toString("base64url");
  return { url: `${env().BASE_URL}${DOWNLOADS}/${ticket}`, expires_at: expiresAt.toISOString() };
}

/** Returns the download of an address by the last part of its path. @throws Refusal `not_found` */
export function readDownload(ticket: string, now: Date): Download {
  const { expiresAt, ...download } = opened(ticket);
  if (now.getTime() >= expiresAt) throw gone();
  return download;
}

function opened(ticket: string): Download & { expiresAt: number } {
  try {
    return JSON.parse(unseal(Buffer.from(ticket, "base64url"), PLACE).toString("utf8"));
  } catch {
    // Nothing is told of why a sealed text does not open.
    throw gone();
  }
}

export const gone = (): Refusal =>
  new Refusal(
    "not_found",
    "The address of the download is unknown or has expired. Call sites.export.download or sites.export.report again.",
  );
