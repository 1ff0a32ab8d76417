import type { JourneysAnswer } from "@/components/reports/journeys/sheets";
import { caution, named, sentencesOf } from "@/components/reports/sentences";
import { formatPercent } from "@/lib/contract/numbers";
import { legiblePath } from "@/lib/platform/legible";
import { t } from "@/lib/texts/translate";

type Flow = JourneysAnswer["journeys"][number]["flows"][number];

const nameOf = ({ value }: Flow["from"]): string => named(legiblePath(value ?? ""));
const isPlace = ({ kind }: Flow["from"]): boolean => kind === "page" || kind === "event";

/** Returns how many visits end where their paths begin, and where the most of the others go first. */
export function journeysSay({ journeys, start, funnel }: JourneysAnswer): string | null {
  const visits = journeys.reduce((sum, group) => sum + group.visits, 0);
  if (visits === 0) return null;
  const first = journeys.flatMap(({ flows }) => flows.filter(({ step }) => step === 1));
  const ended = first.reduce((sum, flow) => sum + (flow.to.kind === "exit" ? flow.visits : 0), 0);
  const [most] = first.filter(({ from, to }) => isPlace(from) && isPlace(to)).sort((a, b) => b.visits - a.visits);
  const share = { share: formatPercent(ended / visits), count: visits };
  return sentencesOf(
    funnel
      ? t(
          "{share} of {count, plural, one {# visit} other {# visits}} that enter the funnel end at its first step",
          share,
        )
      : start === null
        ? t("{share} of {count, plural, one {# visit} other {# visits}} end where they begin", share)
        : t("{share} of {count, plural, one {# visit} other {# visits}} that reach {start} end there", {
            ...share,
            start: named(legiblePath(start)),
          }),
    most &&
      t("The most frequent next step is from {from} to {to}: {count, plural, one {# visit} other {# visits}}", {
        from: nameOf(most.from),
        to: nameOf(most.to),
        count: most.visits,
      }),
    caution(visits, "visit"),
  );
}
