import { formatFraction } from "@/components/reports/sheet";
import { type Patch, ViewLink } from "@/components/reports/view-frame";
import { rich } from "@/components/ui/rich";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

interface StepBar {
  name: string;
  /** Condition of the step, as a tooltip. */
  how?: string | undefined;
  visitors: number;
  fromPrevious: number | null;
  fromFirst: number | null;
  /** The view of those who reached the step. */
  link?: Patch | null;
  /** The view of those who reached the step before and not this one. */
  lostLink?: Patch | null;
  /** Where those who did not continue went, most frequent first; unknown by default. */
  leftTo?: { name: string; visitors: number; link: Patch | null }[];
}

/** Funnel steps as bars relative to the first step, with the drop-off between steps. */
export function StepBars({ steps }: { steps: StepBar[] }) {
  const first = steps[0]?.visitors ?? 0;
  return (
    <ol className="space-y-1 px-4 pb-4">
      {steps.map(({ name, how, visitors, fromPrevious, fromFirst, link, lostLink }, index) => {
        const lost = index > 0 ? (steps[index - 1]?.visitors ?? 0) - visitors : 0;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a funnel may have the same step twice
          <li key={index}>
            {index > 0 && (
              <p className="py-1 pl-8 text-xs text-muted tabular-nums">
                {lost > 0
                  ? rich("<who><bad>−{lost}</bad> dropped off</who>, {share} continued", {
                      bad: (text) => <span className="text-bad">{text}</span>,
                      who: (text) =>
                        lostLink ? (
                          <ViewLink
                            patch={lostLink}
                            title={t("Only visitors who dropped off here")}
                            className="underline decoration-dotted underline-offset-3 hover:text-ink"
                          >
                            {text}
                          </ViewLink>
                        ) : (
                          text
                        ),
                      lost: formatExactly(lost),
                      share: formatFraction(fromPrevious),
                    })
                  : t("{share} continued", { share: formatFraction(fromPrevious) })}
                <LeftTo places={steps[index - 1]?.leftTo ?? []} lost={lost} />
              </p>
            )}
            <div className="flex items-baseline justify-between gap-4 text-sm">
              <span className="flex min-w-0 items-baseline gap-2">
                <span className="grid size-5 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold text-muted">
                  {index + 1}
                </span>
                <span className="truncate font-medium" title={how ?? name}>
                  {link ? (
                    <ViewLink patch={link} className="text-accent hover:underline">
                      {name}
                    </ViewLink>
                  ) : (
                    name
                  )}
                </span>
              </span>
              <span className="shrink-0 tabular-nums">
                <span className="font-semibold">{formatExactly(visitors)}</span>{" "}
                <span className="text-muted">{formatFraction(fromFirst)}</span>
              </span>
            </div>
            <div className="mt-1 ml-7 h-6 rounded-md bg-sunken" aria-hidden="true">
              <div
                className="h-full rounded-md bg-accent"
                style={{ width: `${first > 0 ? (visitors / first) * 100 : 0}%`, minWidth: visitors > 0 ? "3px" : 0 }}
              />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const MOST_PLACES = 3;

/** Where visitors went instead of the next step. */
function LeftTo({ places, lost }: { places: NonNullable<StepBar["leftTo"]>; lost: number }) {
  if (places.length === 0 || lost <= 0) return null;
  return rich(". Instead: {places}", {
    places: places.slice(0, MOST_PLACES).map(({ name, visitors, link }, index) => (
      <span key={name} className="[overflow-wrap:anywhere]">
        {index > 0 && ", "}
        {link ? (
          <ViewLink patch={link} className="text-accent hover:underline">
            <bdi>{name}</bdi>
          </ViewLink>
        ) : (
          name
        )}{" "}
        {formatExactly(visitors)}
      </span>
    )),
  });
}
