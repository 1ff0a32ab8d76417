import type { Overview } from "@/components/reports/answers";
import { type List, Panel } from "@/components/reports/panel";

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const unknown = (value: string | null) => value ?? "Unknown";
const title = (value: string | null) => (value ? value.charAt(0).toUpperCase() + value.slice(1) : "Unknown");

function country(code: string | null): string {
  if (code === null) return "Unknown";
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code;
}

type Rows = Overview["panels"];

const sourceLists = ({ sources, channels }: Rows): List[] => [
  { key: "sources", label: "Sources", column: "Source", rows: sources, write: (name) => name ?? "Direct or unknown" },
  { key: "channels", label: "Channels", column: "Channel", rows: channels, write: title },
];

function pageLists({ pages, entry_pages, exit_pages }: Rows, domain: string): List[] {
  const shared: Pick<List, "column" | "write" | "href"> = {
    column: "Page",
    write: (path) => path ?? "Unknown page",
    href: (path) => (path.startsWith("/") ? `https://${domain}${path}` : null),
  };
  return [
    { key: "pages", label: "Top", rows: pages, ...shared },
    { key: "entry", label: "Entry", rows: entry_pages, ...shared },
    { key: "exit", label: "Exit", rows: exit_pages, ...shared },
  ];
}

const placeLists = ({ countries, regions, cities }: Rows): List[] => [
  { key: "countries", label: "Countries", column: "Country", rows: countries, write: country },
  { key: "regions", label: "Regions", column: "Region", rows: regions, write: unknown },
  { key: "cities", label: "Cities", column: "City", rows: cities, write: unknown },
];

const deviceLists = ({ devices, browsers, os }: Rows): List[] => [
  { key: "devices", label: "Device", column: "Device", rows: devices, write: title },
  { key: "browsers", label: "Browser", column: "Browser", rows: browsers, write: unknown },
  { key: "os", label: "System", column: "System", rows: os, write: unknown },
];

interface Props extends Pick<Overview, "panels" | "metrics"> {
  domain: string;
  /** Places come from DB-IP Lite, whose licence asks for a link where they are shown. */
  creditDbIp: boolean;
}

/** What people saw, where they came from, and with what. */
export function Panels({ panels, metrics, domain, creditDbIp }: Props) {
  const placesKnown = panels.countries.some((row) => row.value !== null);
  const { visitors } = metrics;
  return (
    <div className={`grid gap-4 lg:grid-cols-2 ${placesKnown ? "" : "xl:grid-cols-3"}`}>
      <Panel title="Sources" visitors={visitors} lists={sourceLists(panels)} />
      <Panel title="Pages" visitors={visitors} lists={pageLists(panels, domain)} />
      {placesKnown && (
        <Panel
          title="Places"
          visitors={visitors}
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
        visitors={visitors}
        lists={deviceLists(panels)}
        className={placesKnown ? "" : "lg:max-xl:col-span-2"}
      />
    </div>
  );
}
