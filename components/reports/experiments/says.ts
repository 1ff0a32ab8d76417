import type { ExperimentsAnswer } from "@/components/reports/experiments/sheets";
import { verdictOf } from "@/components/reports/experiments/verdict";
import { named, sentencesOf } from "@/components/reports/sentences";
import { currentLanguage, t } from "@/lib/texts/translate";

/** Returns the verdict on each of the first experiments. */
export const experimentsSay = ({ experiments }: ExperimentsAnswer): string | null =>
  sentencesOf(
    ...experiments.slice(0, MOST).map((one) => {
      const { title } = verdictOf(one);
      const verdict = currentLanguage() === "de" ? title : title.slice(0, 1).toLowerCase() + title.slice(1);
      return `${named(one.experiment)}: ${verdict}`;
    }),
    experiments.length > MOST && t("{count} more are below", { count: `${experiments.length - MOST}` }),
  );

const MOST = 3;
