import { flushIntake } from "@/lib/ingest/store/ingest-stats";
import { flushLiveHits } from "@/lib/ingest/store/live-window";
import { writer } from "@/lib/ingest/store/writer";

/** Writes what was taken and counted so far, before a stop. */
export async function finishIngest(): Promise<void> {
  await writer.drain();
  await flushLiveHits();
  await flushIntake();
}
