import { t } from "@/lib/texts/translate";

/** Returns what a conversion is where a goal is chosen. */
export const goalSentence = (goal: string | null): string | undefined =>
  goal === null ? undefined : t("A conversion is an event that reaches the goal “{goal}”.", { goal });
