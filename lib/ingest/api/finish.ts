import { flushLiveHits } from "@/lib/ingest/store/live-window";
import { flushIntake } from "@/lib/ingest/store/stats/ingest-stats";
import { writer } from "@/lib/ingest/store/writer";

/** Writes what was taken and counted so far, before a stop. */
export async function finishIngest(): Promise<void> {
  await writer.drain();
  await flushLiveHits();
  await flushIntake();
}
