import { challenge } from "@/lib/api/management";
import { requireOwnPage } from "@/lib/api/own-page";
import { bearerPrincipal } from "@/lib/api/principal";
import { sessionEnded } from "@/lib/auth/session-ended";
import type { Owner, Principal } from "@/lib/contract/define";
import { requireScope } from "@/lib/gateway/execute";
import sitesImportsUpload from "@/lib/operations/sites.imports.upload";
import { db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { type Answer, fromWeb, type Incoming, toWeb } from "@/lib/platform/http/http";
import { onOwnHost } from "@/lib/platform/http/require-own-host";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { requireRate } from "@/lib/platform/rate";
import { siteFor } from "@/lib/sites/access";
import { siteOfUpload, storePart, UPLOAD_LIMITS } from "@/lib/transfer/uploads";

const PARTS_PER_MINUTE = 600;

/** A part of an upload: the query has its `offset`. */
export interface PartRequest extends Incoming {
  query: URLSearchParams;
}

/** `PUT /api/v1/management/uploads/<file_id>?offset=<bytes>`: stores a part of an upload of an agent. */
export const uploadAsAgent = (request: PartRequest, fileId: string, now: Date): Promise<Answer> =>
  upload(request, fileId, now, async () => {
    const principal = await bearerPrincipal(request, now);
    requireScope(sitesImportsUpload, principal);
    return principal;
  });

/** `PUT /actions/uploads/<file_id>?offset=<bytes>`: stores a part of an upload of a person on our own page. */
export const uploadAsOwner = (
  request: PartRequest,
  fileId: string,
  session: Promise<Owner | null>,
  now: Date,
): Promise<Answer> =>
  upload(request, fileId, now, async () => {
    const owner = await session;
    if (!owner) throw sessionEnded();
    requireOwnPage(request, owner);
    return { kind: "owner", personId: owner.personId };
  });

/** Returns the route that stores parts of uploads. @param store `uploadAsAgent`, or `uploadAsOwner` with the session */
export const uploadRoute = (store: (request: PartRequest, fileId: string, now: Date) => Promise<Answer>) =>
  onOwnHost(async (request, context: { params: Promise<{ fileId: string }> }) => {
    const { fileId } = await context.params;
    const part = { ...fromWeb(request), query: new URL(request.url).searchParams };
    return toWeb(await store(part, fileId, new Date()));
  });

/** The order is that of `execute`: caller, rate, site and role; the body is read only for those who may write. */
async function upload(
  request: PartRequest,
  fileId: string,
  now: Date,
  authenticate: () => Promise<Principal>,
): Promise<Answer> {
  const requestId = requestIdOf(request);
  try {
    const principal = await authenticate();
    const caller = principal.kind === "owner" ? `person:${principal.personId}` : principal.clientId;
    const message = `At most ${PARTS_PER_MINUTE} parts a minute; wait for the time in Retry-After.`;
    await requireRate(`upload:${caller}`, PARTS_PER_MINUTE, 60_000, now, message);
    const siteId = await siteOfUpload(fileId, now);
    await siteFor(db(), principal, siteId, sitesImportsUpload.role);
    const offset = offsetOf(request.query);
    const bytes = await readBody(request, UPLOAD_LIMITS.partBytes, ["application/octet-stream"]);
    return answer(200, { data: await storePart(fileId, offset, bytes, now), request_id: requestId }, requestId);
  } catch (error) {
    return refuse(error, requestId, { headers: challenge(error, sitesImportsUpload) });
  }
}

function offsetOf(query: URLSearchParams): number {
  const text = query.get("offset") ?? "0";
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw invalidInput([{ path: "offset", message: "must be a whole number, where the part begins" }]);
}
