import type { Overview, PanelRow } from "@/components/reports/answers";
import { CountryMap } from "@/components/reports/country-map";
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

/** The lists of the overview: what each is called in a row of tabs, what its rows are, and of which dimension. */
const LISTS = {
  sources: ["Sources", "Source", "source"],
  channels: ["Channels", "Channel", "channel"],
  pages: ["Top", "Page", "page"],
  entry_pages: ["Entry", "Page", "entry_page"],
  exit_pages: ["Exit", "Page", "exit_page"],
  countries: ["Countries", "Country", "country"],
  regions: ["Regions", "Region", "region"],
  cities: ["Cities", "City", "city"],
  devices: ["Device", "Device", "device"],
  browsers: ["Browser", "Browser", "browser"],
  os: ["System", "System", "os"],
  utm_campaigns: ["Campaign", "Campaign", "utm_campaign"],
  utm_sources: ["Source", "Source", "utm_source"],
  utm_mediums: ["Medium", "Medium", "utm_medium"],
  event_names: ["Event", "Event", "event"],
} as const satisfies Record<keyof Rows, [label: string, column: string, dimension: string]>;

const PAGES: readonly string[] = ["pages", "entry_pages", "exit_pages"];
/** The panels whose places come from DB-IP Lite, whose licence asks for a link where they are shown. */
export const PLACES: readonly string[] = ["countries", "regions", "cities"];

/** One list of the overview; pages of the domain can be opened. */
export function listOfPanel(key: keyof Rows, panels: Rows, domain: string | null): List {
  const [label, column, dimension] = LISTS[key];
  const list = listOf(key, label, column, dimension, panels[key]);
  const href = (path: string) => (path.startsWith("/") ? `https://${domain}${path}` : null);
  return PAGES.includes(key) && domain ? { ...list, href } : list;
}

export const DbIpCredit = () => (
  <a href="https://db-ip.com/" className="underline">
    IP Geolocation by DB-IP
  </a>
);

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
  const lists = (...keys: (keyof Rows)[]) => keys.map((key) => listOfPanel(key, panels, domain));
  return (
    <div className={`grid gap-4 lg:grid-cols-2 ${placesKnown ? "" : "xl:grid-cols-3"}`}>
      <Panel title="Sources" {...shown} lists={lists("sources", "channels")} />
      <Panel title="Pages" {...shown} lists={lists("pages", "entry_pages", "exit_pages")} />
      {placesKnown && (
        <Panel
          title="Places"
          {...shown}
          lists={lists("countries", "regions", "cities")}
          picture={{ label: "Map", content: <CountryMap filters={filters} /> }}
          footer={creditDbIp && <DbIpCredit />}
        />
      )}
      <Panel
        title="Devices"
        {...shown}
        lists={lists("devices", "browsers", "os")}
        className={placesKnown ? "" : "lg:max-xl:col-span-2"}
      />
    </div>
  );
}
