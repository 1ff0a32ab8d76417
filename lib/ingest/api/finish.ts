import { flushLiveWindows } from "@/lib/ingest/store/live-window";
import { flushIngestStats } from "@/lib/ingest/store/stats/ingest-stats";
import { writer } from "@/lib/ingest/store/writer";

/** Writes what was taken and counted so far, before a stop. */
export async function finishIngest(): Promise<void> {
  await writer.drain();
  await flushLiveWindows();
  await flushIngestStats();
}
