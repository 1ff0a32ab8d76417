import { postEvents } from "@/lib/ingest/api/answer-ingest";
import { refuseMethod } from "@/lib/platform/http/methods";

/** Measurement Protocol. */
export const POST = (request: Request) => postEvents("batch", request);

const refused = refuseMethod("POST");

export { refused as DELETE, refused as GET, refused as OPTIONS, refused as PATCH, refused as PUT };
