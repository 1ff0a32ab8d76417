import type { ReactNode } from "react";
import { inTime } from "@/app/_dashboard/in-time";
import { Deferred } from "@/components/reports/deferred";

interface Props {
  /** Name of the part in the error message, as the end of a sentence: "this report". */
  what: string;
  /** Placeholder if it is late. */
  fallback: ReactNode;
  /** The part, with all that it waits for. */
  content: Promise<Awaited<ReactNode>>;
}

/** A part that is sent with the page if it arrives in time, so that it is in the first paint, and streamed if not. */
export async function Arriving({ what, fallback, content }: Props) {
  const arrived = await inTime(content);
  return (
    <Deferred what={what} isReady={arrived !== null} fallback={fallback}>
      {arrived ? arrived.value : content}
    </Deferred>
  );
}
