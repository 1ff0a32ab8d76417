import { postEvents } from "@/lib/ingest/api/answer-ingest";
import { INGEST_ROUTES } from "@/lib/ingest/api/requests";
import { Refusal } from "@/lib/platform/errors";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { refuseMethod } from "@/lib/platform/http/methods";
import { refuse, requestIdOf } from "@/lib/platform/http/respond";

/** Segment's HTTP API. */
export async function POST(request: Request, { params }: { params: Promise<{ call: string }> }): Promise<Response> {
  const route = INGEST_ROUTES[`/v1/${(await params).call}`];
  if (route) return postEvents(route.surface, request);
  const refusal = new Refusal(
    "operation_not_found",
    "There is no call at this path; see /docs/from-segment for those that are.",
  );
  return toWeb(refuse(refusal, requestIdOf(fromWeb(request))));
}

const refused = refuseMethod("POST");

export { refused as DELETE, refused as GET, refused as OPTIONS, refused as PATCH, refused as PUT };
