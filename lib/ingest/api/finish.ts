import { flushLiveWindows } from "@/lib/ingest/store/live-window";
import { flushIngestStats } from "@/lib/ingest/store/stats/ingest-stats";
import { writer } from "@/lib/ingest/store/writer";

/** Writes pending events and counts before the process stops. */
export async function finishIngest(): Promise<void> {
  await writer.drain();
  await flushLiveWindows();
  await flushIngestStats();
}
