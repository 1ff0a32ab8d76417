import type { Refusal } from "@/lib/platform/errors";

/**
 * Returns what a page says about an error that may be gone at the next try; null for other errors. The messages of
 * the API tell programs what to do after a semicolon; people get a button instead.
 */
export function temporaryMessage({ code, message, retryAfter }: Refusal): string | null {
  const when = retryAfter ? `in ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}` : "in a moment";
  if (code === "rate_limited") return `Your reports have used up their time for this minute. Try again ${when}.`;
  if (code !== "unavailable") return null;
  const [what, advice = ""] = message.replace(/[.]$/, "").split("; ");
  const shorter = advice.includes("shorter range") ? ", or choose a shorter range or fewer filters" : "";
  return `${what}. Try again ${when}${shorter}.`;
}
