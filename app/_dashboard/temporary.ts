import type { Refusal } from "@/lib/platform/errors";
import { t } from "@/lib/texts/translate";

/**
 * Returns what a page says about an error that may be gone at the next try; null for other errors. The messages of
 * the API tell programs what to do after a semicolon; people get a button instead.
 */
export function temporaryMessage({ code, message, retryAfter }: Refusal): string | null {
  const when = retryAfter
    ? t("in {count, plural, one {# second} other {# seconds}}", { count: retryAfter })
    : t("in a moment");
  if (code === "rate_limited") {
    return t("Your reports have used up their time for this minute. Try again {when}.", { when });
  }
  if (code !== "unavailable") return null;
  const [what = "", advice = ""] = message.replace(/[.]$/, "").split("; ");
  const known = { problem: t(what), when };
  return advice.includes("shorter range")
    ? t("{problem}. Try again {when}, or choose a shorter range or fewer filters.", known)
    : t("{problem}. Try again {when}.", known);
}
