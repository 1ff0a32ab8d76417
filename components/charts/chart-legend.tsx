import { type Drawn, dashOf, isComparison } from "@/components/charts/series";
import { t } from "@/lib/texts/translate";

interface Props {
  series: readonly Drawn[];
  hidden: ReadonlySet<string>;
  onToggle(key: string): void;
}

/** The legend; clicking a series hides or shows it. The last visible series cannot be hidden. */
export function ChartLegend({ series, hidden, onToggle }: Props) {
  const shown = series.filter(({ key }) => !hidden.has(key)).length;
  return (
    <ul className="-mx-1.5 flex flex-wrap items-center" aria-label={t("Series")}>
      {series.map((one) => {
        const isHidden = hidden.has(one.key);
        const look = lookOf(isComparison(one) || isHidden);
        return (
          <li key={one.key}>
            {series.length === 1 ? (
              <span className={look}>
                <LegendName one={one} />
              </span>
            ) : (
              <button
                type="button"
                aria-pressed={!isHidden}
                aria-disabled={!isHidden && shown === 1}
                onClick={() => (isHidden || shown > 1) && onToggle(one.key)}
                className={`${look} hover:bg-sunken aria-disabled:cursor-default aria-disabled:hover:bg-transparent aria-[pressed=false]:line-through`}
              >
                <LegendName one={one} />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const lookOf = (isMuted: boolean) =>
  `flex min-h-8 items-center gap-2 rounded-md px-1.5 text-left ${isMuted ? "text-muted" : "font-medium"}`;

/** Line sample and name of a series. */
function LegendName({ one }: { one: Drawn }) {
  return (
    <>
      <svg className="h-2 w-5 shrink-0" aria-hidden="true">
        <line
          x1="1"
          x2="19"
          y1="4"
          y2="4"
          stroke={one.colour}
          strokeWidth="2"
          strokeDasharray={dashOf(one)}
          strokeLinecap="round"
        />
      </svg>
      <span>
        {one.label}
        {one.detail && <span className="font-normal text-muted">, {one.detail}</span>}
      </span>
    </>
  );
}
