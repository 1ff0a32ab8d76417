import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { ChevronDown } from "@/components/ui/icons";
import { SCRUBBED } from "@/lib/ingest/event/scrub";
import { currentLocale, dateFormat } from "@/lib/platform/locale";
import type { TrackedHit } from "@/lib/sites/tracking-shape";
import { CLASSES, fieldsOf, OUTCOMES, titleOf } from "./words";

/** One hit: a line, and below it how each of its fields was read. */
export function EventRow({ hit, timezone }: { hit: TrackedHit; timezone: string }) {
  const { label, tone } = OUTCOMES[hit.outcome];
  return (
    <li>
      <details className="group">
        <summary className="-mx-2 flex list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-2 py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <time dateTime={hit.at} className="text-sm text-muted tabular-nums">
            {timeIn(timezone, hit.at)}
          </time>
          <Badge tone={tone}>{label}</Badge>
          {hit.class && (
            <Badge tone={hit.class.traffic === "human" ? "accent" : "plain"}>{CLASSES[hit.class.traffic]}</Badge>
          )}
          <span className="order-1 min-w-0 basis-full truncate font-medium sm:order-none sm:flex-1 sm:basis-0">
            {titleOf(hit)}
          </span>
          <ChevronDown className="ml-auto size-4 text-muted transition-transform group-open:rotate-180 sm:ml-0" />
          <Why hit={hit} />
        </summary>
        <div className="mb-3 border-l-2 border-line pl-4">
          <Fields hit={hit} />
        </div>
      </details>
    </li>
  );
}

/** In one sentence, where there is something to say. */
function Why({ hit }: { hit: TrackedHit }) {
  const why = hit.because ?? (hit.class?.traffic === "human" ? null : hit.class?.because);
  if (!why) return null;
  const isSentence = hit.issues.length === 0;
  return (
    <span
      className={`order-2 basis-full text-sm text-muted [overflow-wrap:anywhere] ${isSentence ? "first-letter:uppercase" : ""}`}
    >
      {why}
    </span>
  );
}

function Fields({ hit }: { hit: TrackedHit }) {
  const properties = Object.entries(hit.properties ?? {});
  return (
    <Facts>
      {hit.issues.map(({ path, message }) => (
        <Fact key={path} name={path === "" ? "The event" : path}>
          <span className="text-bad">{message}</span>
        </Fact>
      ))}
      {fieldsOf(hit).map(({ name, value, about }) => (
        <Fact key={name} name={name}>
          {value === "" ? <span className="text-muted">Not known</span> : value}
          {about && <span className="block text-muted">{about}</span>}
        </Fact>
      ))}
      {properties.length > 0 && (
        <Fact name="Properties">
          <ul className="space-y-0.5">
            {properties.map(([key, value]) => (
              <li key={key}>
                <span className="text-muted">{key}</span> {value}
              </li>
            ))}
          </ul>
          {hit.properties_left_out > 0 && <span className="text-muted">and {hit.properties_left_out} more</span>}
        </Fact>
      )}
      {hit.scrubbed.length > 0 && <Fact name="Replaced">{hit.scrubbed.map((kind) => SCRUBBED[kind]).join("; ")}</Fact>}
    </Facts>
  );
}

/** The time of day where the site is, to the second. */
const timeIn = (timeZone: string, at: string): string =>
  dateFormat(currentLocale(), { timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(new Date(at));
