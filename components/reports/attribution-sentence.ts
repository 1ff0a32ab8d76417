import { ATTRIBUTION_DAYS, type Attribution } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

/** Returns which visit conversions and revenue are given to, in a sentence. */
export const attributionSentence = (attribution: Attribution): string =>
  attribution === "first"
    ? t(
        "Conversions and revenue are given to the source and campaign of the visitor’s first visit in the {days} days before. Visitors without a user id are recognised within one day only.",
        { days: ATTRIBUTION_DAYS },
      )
    : t("Conversions and revenue are given to the source and campaign of the visit in which they happened.");
