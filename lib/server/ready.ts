import { processWide } from "@/lib/platform/process-wide";

const state = processWide("ready", () => ({ ready: false }));

export function setReady(ready: boolean): void {
  state.ready = ready;
}

/** Whether this process takes requests: booted, and not about to stop. */
export const isReady = (): boolean => state.ready;
