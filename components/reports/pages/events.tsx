import { bucketName, formatExactly } from "@/components/reports/format";
import { Columns } from "@/components/reports/pages/columns";
import { DataTable } from "@/components/reports/pages/data-table";
import { formatMoney, type Sheet } from "@/components/reports/pages/sheet";
import type { EventsAnswer } from "@/components/reports/pages/sheets/events";
import { TableTwin } from "@/components/reports/pages/table-twin";
import { Teach } from "@/components/reports/pages/teach";
import { Tiles } from "@/components/reports/pages/tiles";
import { Unconverted } from "@/components/reports/pages/unconverted";
import { ViewLink } from "@/components/reports/view-frame";

interface Props {
  answer: EventsAnswer;
  sheets: Map<string, Sheet>;
}

/** Every event and goal, and one event closely. */
export function EventsReport({ answer, sheets }: Props) {
  const { events, goals, event, unconverted, meta } = answer;
  if (events.length + goals.length === 0 && !event) {
    return (
      <Teach
        title="No events in this range"
        code={'footfall("Signup", { props: { plan: "pro" } });'}
        docs={{ href: "/docs/tracker", label: "How to send events" }}
      >
        An event is anything worth counting besides pages: a sign-up, a download, an order. Your pages send it with one
        call.
      </Teach>
    );
  }
  const list = sheets.get("events");
  const reached = sheets.get("goals");
  return (
    <>
      <Unconverted amounts={unconverted.map(formatMoney)} />
      {event && <EventDetail event={event} interval={meta.interval ?? "day"} sheets={sheets} />}
      {list && (
        <DataTable sheet={list} truncated={meta.truncated} about="Choose one to see its course and its properties." />
      )}
      {reached && reached.rows.length > 0 && <DataTable sheet={reached} />}
    </>
  );
}

type Detail = NonNullable<EventsAnswer["event"]>;
type Interval = NonNullable<EventsAnswer["meta"]["interval"]>;

function EventDetail({ event, interval, sheets }: { event: Detail; interval: Interval; sheets: Map<string, Sheet> }) {
  const bars = event.series.map(({ start, label, count, partial }) => ({
    key: start,
    label: bucketName(label, interval),
    value: count,
    text: formatExactly(count),
    growing: partial,
  }));
  const beside = [...sheets.values()].filter(({ key }) => key === "pages" || key === "sources");
  const properties = [...sheets.values()].filter(({ key }) => key.startsWith("property-"));
  const course = sheets.get("series");
  return (
    <section aria-label={event.event} className="space-y-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="min-w-0 text-lg font-semibold break-words">{event.event}</h2>
        <ViewLink patch={{ event: null }} className="text-sm text-accent underline">
          All events only
        </ViewLink>
      </div>
      <Tiles
        tiles={[
          { label: "Count", kind: "count", value: event.count },
          { label: "Visitors", kind: "count", value: event.visitors },
          { label: "Conversion rate", kind: "fraction", value: event.conversion_rate },
          { label: "Revenue", kind: "money", value: event.revenue.amount, currency: event.revenue.currency },
        ]}
      />
      <div className="card pt-3">
        <Columns bars={bars} name={`${event.event} by ${interval}`} unit="times" />
      </div>
      {course && (
        <TableTwin>
          <DataTable sheet={course} />
        </TableTwin>
      )}
      {properties.length > 0 && <h3 className="font-semibold">Properties</h3>}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {[...properties, ...beside].map((sheet) => (
          <DataTable key={sheet.key} sheet={sheet} />
        ))}
      </div>
    </section>
  );
}
