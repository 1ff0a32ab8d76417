import type { Overview, PanelRow } from "@/components/reports/answers";
import type { Filter } from "@/components/reports/filters";
import { type List, Panel } from "@/components/reports/panel";
import { valueName } from "@/components/reports/values";

type Rows = Overview["panels"];

const listOf = (key: string, label: string, column: string, dimension: string, rows: PanelRow[]): List => ({
  key,
  label,
  column,
  dimension,
  rows,
  write: (value) => valueName(dimension, value),
});

const sourceLists = ({ sources, channels }: Rows): List[] => [
  listOf("sources", "Sources", "Source", "source", sources),
  listOf("channels", "Channels", "Channel", "channel", channels),
];

function pageLists({ pages, entry_pages, exit_pages }: Rows, domain: string): List[] {
  const lists = [
    listOf("pages", "Top", "Page", "page", pages),
    listOf("entry", "Entry", "Page", "entry_page", entry_pages),
    listOf("exit", "Exit", "Page", "exit_page", exit_pages),
  ];
  const href = (path: string) => (path.startsWith("/") ? `https://${domain}${path}` : null);
  return lists.map((list) => ({ ...list, href }));
}

const placeLists = ({ countries, regions, cities }: Rows): List[] => [
  listOf("countries", "Countries", "Country", "country", countries),
  listOf("regions", "Regions", "Region", "region", regions),
  listOf("cities", "Cities", "City", "city", cities),
];

const deviceLists = ({ devices, browsers, os }: Rows): List[] => [
  listOf("devices", "Device", "Device", "device", devices),
  listOf("browsers", "Browser", "Browser", "browser", browsers),
  listOf("os", "System", "System", "os", os),
];

interface Props extends Pick<Overview, "panels" | "metrics"> {
  domain: string;
  /** What the view is narrowed to. */
  filters: readonly Filter[];
  /** Places come from DB-IP Lite, whose licence asks for a link where they are shown. */
  creditDbIp: boolean;
}

/** What people saw, where they came from, and with what. */
export function Panels({ panels, metrics, domain, filters, creditDbIp }: Props) {
  const placesKnown = panels.countries.some((row) => row.value !== null);
  const shown = { visitors: metrics.visitors, filters };
  return (
    <div className={`grid gap-4 lg:grid-cols-2 ${placesKnown ? "" : "xl:grid-cols-3"}`}>
      <Panel title="Sources" {...shown} lists={sourceLists(panels)} />
      <Panel title="Pages" {...shown} lists={pageLists(panels, domain)} />
      {placesKnown && (
        <Panel
          title="Places"
          {...shown}
          lists={placeLists(panels)}
          footer={
            creditDbIp && (
              <a href="https://db-ip.com/" className="underline">
                IP Geolocation by DB-IP
              </a>
            )
          }
        />
      )}
      <Panel
        title="Devices"
        {...shown}
        lists={deviceLists(panels)}
        className={placesKnown ? "" : "lg:max-xl:col-span-2"}
      />
    </div>
  );
}
