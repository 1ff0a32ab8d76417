import { postEvents } from "@/lib/ingest/api/answer-ingest";
import { preflight } from "@/lib/ingest/api/requests";
import { toWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";

/** Events API. Plausible's clients send to it, too. */
export const POST = (request: Request) => postEvents("event", request);

export const OPTIONS = () => toWeb(preflight());

const refused = refuseMethod("POST, OPTIONS");

export { refused as DELETE, refused as GET, refused as PATCH, refused as PUT };
