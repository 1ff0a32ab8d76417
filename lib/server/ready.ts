import { processWide } from "@/lib/platform/process-wide";

const state = processWide("ready", () => ({ ready: false }));

export function setReady(ready: boolean): void {
  state.ready = ready;
}

/** Returns whether this process accepts requests: it has booted and is not stopping. */
export const isReady = (): boolean => state.ready;
