import { orRefusal, ownerOfRequest, requireSiteId } from "@/app/_dashboard/answer";
import { isReady } from "@/lib/server/ready";
import type { TrackingTest } from "@/lib/sites/tracking-shape";
import { watchTrackingTest } from "@/lib/sites/tracking-stream";

/** Streams the running live test of a site as server-sent events. */
export const GET = ({ signal }: Request, { params }: { params: Promise<{ siteId: string }> }): Promise<Response> =>
  orRefusal(async () => {
    const [owner, siteId] = [await ownerOfRequest(), await requireSiteId(params)];
    const tests = await watchTrackingTest({ owner, siteId, isActive: () => !signal.aborted && isReady() });
    return new Response(streamOf(tests), {
      // no-transform: a proxy that compresses would buffer small messages.
      headers: {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
      },
    });
  });

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
