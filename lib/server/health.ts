import { setTimeout } from "node:timers/promises";
import { db } from "@/lib/platform/db";
import { processWide } from "@/lib/platform/process-wide";
import { isReady } from "@/lib/server/ready";

/** Generous, because a busy machine may take a second; the container's check gives up after five. */
const ANSWER_WITHIN_MS = 3_000;

/** @returns whether the part answers in time. */
type Ask = (withinMs: number) => Promise<boolean>;
type ChildPart = "ingest" | "analytics";

/** The parts of this installation in threads and processes of their own; all others are in this thread. */
const children = processWide<Partial<Record<ChildPart, Ask>>>("health-parts", () => ({}));

/** Makes the health of this process depend on a child. */
export function setPart(part: ChildPart, ask: Ask): void {
  children[part] = ask;
}

export interface Health {
  /** `degraded`: events are stored, but reports are not answered. */
  status: "ok" | "degraded" | "unavailable";
  database: PartStatus;
  ingest: PartStatus;
  analytics: PartStatus;
}
type PartStatus = "ok" | "unavailable";

/** Asks every part of this process whether it works. */
export async function readHealth(): Promise<Health> {
  const statusOf = async (ask: Ask): Promise<PartStatus> => ((await ask(ANSWER_WITHIN_MS)) ? "ok" : "unavailable");
  const [database, ingest, analytics] = await Promise.all([
    statusOf(databaseAnswers),
    statusOf(children.ingest ?? inThisThread),
    statusOf(children.analytics ?? inThisThread),
  ]);
  const stores = isReady() && database === "ok" && ingest === "ok";
  return { status: !stores ? "unavailable" : analytics === "ok" ? "ok" : "degraded", database, ingest, analytics };
}

const inThisThread: Ask = async () => true;

const databaseAnswers: Ask = (withinMs) => {
  const answer = db().$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([answer, setTimeout(withinMs, false, { ref: false })]);
};
