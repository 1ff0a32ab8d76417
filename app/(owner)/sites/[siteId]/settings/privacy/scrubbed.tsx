import { Section } from "@/components/ui/section";
import { SCRUBBED_PLACES } from "@/lib/ingest/scrubbing/kinds";
import type { Answer } from "@/lib/operations/index";
import { legiblePath } from "@/lib/platform/legible";
import { capitalise } from "@/lib/texts/capitalise";
import { t } from "@/lib/texts/translate";
import { Count, CountGroup, Counts, dayCount } from "../counts";

type Report = Answer<"sites.scrubbing.report">;
type Kind = Report["kinds"][number];
type Place = Kind["places"][number];

/** How many places of a kind are shown, the most frequent first. */
const SHOWN = 5;

/** What was replaced in events lately, by kind and place. */
export function Scrubbed({ from, to, kinds }: Report) {
  const days = dayCount({ from, to });
  return (
    <Section
      title={t("What was replaced")}
      about={t(
        "Pieces of personal data that events held, today and in the last {days} days (UTC). The examples are texts as they are stored; what was removed is stored nowhere.",
        { days },
      )}
    >
      {kinds.length === 0 ? (
        <p className="text-sm text-muted">
          {t(
            "Nothing in this period: no event held anything of the kinds below. When a page of your site puts an email address or a reset link into its URL, you see here which one, and can mend the page.",
          )}
        </p>
      ) : (
        <Counts caption={t("Replaced pieces by kind and place")} days={days}>
          {kinds.map((kind) => (
            <KindRows key={kind.kind} {...kind} today={kind.days.find(({ day }) => day === to)?.pieces ?? 0} />
          ))}
        </Counts>
      )}
    </Section>
  );
}

function KindRows({ kind, pieces, today, places }: Kind & { today: number }) {
  const left = places.length - SHOWN;
  return (
    <CountGroup>
      <tr>
        <th scope="row" className="text-left font-normal">
          <span className="font-mono font-medium">({kind})</span>
        </th>
        <Count of={today} />
        <Count of={pieces} />
      </tr>
      {places.slice(0, SHOWN).map((place) => (
        <tr key={`${place.place} ${place.name}`} className="text-muted">
          <th scope="row" className="pt-1 pl-4 text-left font-normal">
            {placeName(place)}
            {place.example && (
              <>
                {": "}
                <bdi className="font-mono text-ink [overflow-wrap:anywhere]">{legiblePath(place.example)}</bdi>
              </>
            )}
          </th>
          <td />
          <Count of={place.pieces} />
        </tr>
      ))}
      {left > 0 && (
        <tr className="text-muted">
          <td className="pt-1 pl-4">
            {t("and {count, plural, one {# more place} other {# more places}}", { count: left })}
          </td>
        </tr>
      )}
    </CountGroup>
  );
}

function placeName({ place, name }: Place): string {
  const text = place ? capitalise(t(SCRUBBED_PLACES[place])) : t("Anywhere");
  return name ? t("{place} “{name}”", { place: text, name }) : text;
}
