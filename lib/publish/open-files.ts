import { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/contract/define";
import sitesImportsUpload from "@/lib/operations/sites.imports.upload";
import type { ErrorCode } from "@/lib/platform/errors";
import { DOWNLOADS, REPORT_FORMATS } from "@/lib/transfer/downloads";
import { FORMATS } from "@/lib/transfer/line";
import { UPLOAD_LIMITS } from "@/lib/transfer/uploads";

/** Files: parts of uploads for imports, and downloads of exports and reports. */

const MIB = 1024 ** 2;
const FILE_ID = "3f2c1a9e-6f0b-4a86-9d0e-2b7c5a1d4e90";
const ALWAYS: readonly ErrorCode[] = [
  ...(["method_not_allowed", "misdirected_request", "rate_limited", "internal", "unavailable"] as const),
  ...(["malformed_request", "headers_too_large"] as const),
];

export const FILE_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint({
    id: "uploads.part",
    method: "PUT",
    path: "/api/v1/management/uploads/{file_id}",
    title: "Send a part of an upload",
    about: `Stores a part of a file that \`sites.imports.upload\` has announced: at most ${UPLOAD_LIMITS.partBytes / MIB} MiB, which is \`part_size\` there. Send the parts one after another, each with its \`offset\`; a part may be sent again, and no \`Idempotency-Key\` is needed. When \`arrived\` is \`size\`, call \`sites.imports.create\`.`,
    tag: "Files",
    scope: sitesImportsUpload.scope,
    input: null,
    parameters: [
      {
        name: "file_id",
        in: "path",
        about: "The `file_id` of the announced file",
        shape: z.uuid(),
        example: FILE_ID,
      },
      {
        name: "offset",
        in: "query",
        about: "Where the part begins in the file, in bytes; default 0",
        shape: z.int().min(0).max(UPLOAD_LIMITS.fileBytes),
        example: 0,
      },
    ],
    file: "application/octet-stream",
    enveloped: true,
    answers: {
      200: {
        about: "The part is stored",
        output: z.object({
          file_id: z.string(),
          name: z.string(),
          size: z.int().meta({ description: "Bytes announced" }),
          arrived: z.int().meta({ description: "Bytes that have arrived" }),
        }),
        example: { file_id: FILE_ID, name: "plausible-export.zip", size: 482_113, arrived: 482_113 },
      },
    },
    refusals: [
      ...(["unauthenticated", "invalid_token", "insufficient_scope", "site_not_granted", "role_denied"] as const),
      ...(["not_found", "invalid_input", "payload_too_large", "unsupported_media_type"] as const),
      ...ALWAYS,
    ],
  }),
  defineEndpoint({
    id: "downloads.get",
    method: "GET",
    path: `${DOWNLOADS}/{ticket}`,
    title: "Download a file",
    about:
      "The file whose address `sites.export.download` or `sites.export.report` has answered. Needs no token, and works for ten minutes: the address is a secret until then. It serves only what its agent may still read. Files of events are streamed, so their length is not known before.",
    tag: "Files",
    input: null,
    parameters: [
      {
        name: "ticket",
        in: "path",
        about: "The last part of the address",
        shape: z.string(),
        example: "AQJrMfS0",
      },
    ],
    answers: {},
    files: [
      ...new Set([
        ...Object.values(FORMATS).map(({ type }) => type.split(";", 1)[0] ?? ""),
        ...Object.values(REPORT_FORMATS),
      ]),
    ],
    refusals: [
      ...(["not_found", "insufficient_scope", "site_not_granted", "role_denied", "invalid_input"] as const),
      ...ALWAYS,
    ],
  }),
];
