import { flushIntake } from "@/lib/ingest/intake";
import { flushLiveHits } from "@/lib/ingest/live-window";
import { writer } from "@/lib/ingest/writer";

/** Writes what was taken and counted so far, before a stop. */
export async function finishIngest(): Promise<void> {
  await writer.drain();
  await flushLiveHits();
  await flushIntake();
}
