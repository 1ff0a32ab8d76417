import type { ExperimentsAnswer } from "@/components/reports/experiments/sheets";
import { verdictOf } from "@/components/reports/experiments/verdict";
import { named, sentencesOf } from "@/components/reports/sentences";

/** Returns the verdict on each of the first experiments. */
export const experimentsSay = ({ experiments }: ExperimentsAnswer): string | null =>
  sentencesOf(
    ...experiments.slice(0, MOST).map((one) => {
      const { title } = verdictOf(one);
      return `${named(one.experiment)}: ${title.slice(0, 1).toLowerCase()}${title.slice(1)}`;
    }),
    experiments.length > MOST && `${experiments.length - MOST} more are below`,
  );

const MOST = 3;
