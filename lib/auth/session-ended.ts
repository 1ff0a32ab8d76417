import { Refusal } from "@/lib/platform/errors";

/** The refusal for a page whose session has ended. The page keeps what was typed. */
export const sessionEnded = (): Refusal =>
  new Refusal("unauthenticated", "Your session has ended. Sign in again in a new tab, then try again here.");
