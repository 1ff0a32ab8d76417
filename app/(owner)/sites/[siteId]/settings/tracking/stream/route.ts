import { currentOwner } from "@/lib/auth/session";
import { LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import { Refusal } from "@/lib/platform/errors";
import { isReady } from "@/lib/server/ready";
import type { TrackingTest } from "@/lib/sites/tracking-shape";
import { watchTrackingTest } from "@/lib/sites/tracking-stream";

const refused = (code: string, status: number) =>
  Response.json({ error: { code } }, { status, headers: { "Cache-Control": "no-store" } });

/** Streams the running live test of a site as server-sent events. */
export async function GET(request: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> {
  const owner = await currentOwner();
  if (!owner) return refused("unauthenticated", 401);
  const siteId = Number((await params).siteId);
  if (!Number.isSafeInteger(siteId) || siteId < 1 || siteId > LARGEST_ID) return refused("site_not_granted", 403);
  const { signal } = request;
  try {
    const tests = await watchTrackingTest({ owner, siteId, isActive: () => !signal.aborted && isReady() });
    return new Response(streamOf(tests), {
      // no-transform: a proxy that compresses would buffer small messages.
      headers: {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
      },
    });
  } catch (error) {
    if (error instanceof Refusal) return refused(error.code, error.status);
    throw error;
  }
}

/** Encodes server-sent events (HTML Standard, section 9.2): one per test state; null becomes a comment as heartbeat. */
function streamOf(tests: AsyncGenerator<TrackingTest | null>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await tests.next();
      if (done) return controller.close();
      controller.enqueue(encoder.encode(value ? `data: ${JSON.stringify(value)}\n\n` : ":\n\n"));
    },
    cancel: () => tests.return(undefined).then(() => {}),
  });
}
