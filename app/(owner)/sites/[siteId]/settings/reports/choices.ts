import type { Choice } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

/** Returns choices of a module constant, whose labels are marked texts, in the reader's language. */
export const translated = (choices: readonly Choice[]): Choice[] =>
  choices.map((choice) => ({ ...choice, label: t(choice.label) }));
