import { postEvents } from "@/lib/ingest/api/answer-ingest";
import { preflight } from "@/lib/ingest/api/requests";
import { toWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";

/** Events of Umami's clients. */
export const POST = (request: Request) => postEvents("umami", request);

export const OPTIONS = () => toWeb(preflight());

const refused = refuseMethod("POST, OPTIONS");

export { refused as DELETE, refused as GET, refused as PATCH, refused as PUT };
