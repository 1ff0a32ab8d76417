import { ChevronDown } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/facts";
import { SCRUBBED } from "@/lib/ingest/scrubbing/kinds";
import { currentLocale, dateFormat } from "@/lib/platform/locale";
import type { TrackedEvent } from "@/lib/sites/tracking-shape";
import { t } from "@/lib/texts/translate";
import { CLASSES, eventTitle, factsOfEvent, OUTCOME_LABELS } from "./labels";

/** One event as an expandable row with its fields. */
export function EventRow({ event, timezone }: { event: TrackedEvent; timezone: string }) {
  const { label, tone } = OUTCOME_LABELS[event.outcome];
  return (
    <li>
      <details className="group">
        <summary className="-mx-2 flex list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-2 py-2.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
          <time dateTime={event.at} className="text-sm text-muted tabular-nums">
            {timeIn(timezone, event.at)}
          </time>
          <Badge tone={tone}>{t(label)}</Badge>
          {event.class && (
            <Badge tone={event.class.traffic === "human" ? "accent" : "plain"}>{t(CLASSES[event.class.traffic])}</Badge>
          )}
          <span className="order-1 min-w-0 basis-full truncate font-medium sm:order-none sm:flex-1 sm:basis-0">
            {eventTitle(event)}
          </span>
          <ChevronDown className="ml-auto size-4 text-muted transition-transform group-open:rotate-180 sm:ml-0" />
          <Why event={event} />
        </summary>
        <div className="mb-3 border-l-2 border-line pl-4">
          <EventFields event={event} />
        </div>
      </details>
    </li>
  );
}

/** The reason of the outcome or class, if there is one. */
function Why({ event }: { event: TrackedEvent }) {
  const why = event.because ?? (event.class?.traffic === "human" ? null : event.class?.because);
  if (!why) return null;
  const isSentence = event.issues.length === 0;
  return (
    <span
      className={`order-2 basis-full text-sm text-muted [overflow-wrap:anywhere] ${isSentence ? "first-letter:uppercase" : ""}`}
    >
      {t(why)}
    </span>
  );
}

function EventFields({ event }: { event: TrackedEvent }) {
  const properties = Object.entries(event.properties ?? {});
  return (
    <Facts>
      {event.issues.map(({ path, message }) => (
        <Fact key={path} name={path === "" ? t("The event") : path}>
          <span className="text-bad">{message}</span>
        </Fact>
      ))}
      {factsOfEvent(event).map(({ name, value, about }) => (
        <Fact key={name} name={name}>
          {value === "" ? <span className="text-muted">{t("Unknown")}</span> : value}
          {about && <span className="block text-muted">{about}</span>}
        </Fact>
      ))}
      {properties.length > 0 && (
        <Fact name={t("Properties")}>
          <ul className="space-y-0.5">
            {properties.map(([key, value]) => (
              <li key={key}>
                <span className="text-muted">{key}</span> {value}
              </li>
            ))}
          </ul>
          {event.properties_left_out > 0 && (
            <span className="text-muted">{t("and {count} more", { count: event.properties_left_out })}</span>
          )}
        </Fact>
      )}
      {event.scrubbed.length > 0 && (
        <Fact name={t("Replaced")}>{event.scrubbed.map((kind) => t(SCRUBBED[kind])).join("; ")}</Fact>
      )}
    </Facts>
  );
}

/** Formats the time of day in the site's timezone, with seconds. */
const timeIn = (timeZone: string, at: string): string =>
  dateFormat(currentLocale(), { timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(new Date(at));
