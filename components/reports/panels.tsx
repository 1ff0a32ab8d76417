"use client";

import type { ListRow, PanelKey, PanelsAnswer, QueryResult } from "@/components/reports/answers";
import { CountryMap } from "@/components/reports/country-map";
import { PANEL_NAMES } from "@/components/reports/dashboard-panels";
import type { Filter } from "@/components/reports/filters";
import { ListsFrame, useLists } from "@/components/reports/lists";
import { type List, Panel } from "@/components/reports/panel";
import { RefusedNotice } from "@/components/reports/refused-notice";
import { PanelsSkeleton } from "@/components/reports/skeletons";

type Lists = PanelsAnswer["lists"];

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
} as const satisfies Record<PanelKey, [label: string, column: string, dimension: string]>;

const PAGES: readonly PanelKey[] = ["pages", "entry_pages", "exit_pages"];
/** The panels whose places come from DB-IP Lite, whose licence asks for a link where they are shown. */
const PLACES: readonly PanelKey[] = ["countries", "regions", "cities"];

/** One list of the overview; pages of the domain can be opened. */
function listOf(key: PanelKey, lists: Lists, domain?: string): List {
  const [label, column, dimension] = LISTS[key];
  const list = { key, label, column, dimension, rows: lists[key] };
  const href = (path: string) => (path.startsWith("/") ? `https://${domain}${path}` : null);
  return domain && PAGES.includes(key) ? { ...list, href } : list;
}

const DbIpCredit = () => (
  <a href="https://db-ip.com/" className="underline">
    IP Geolocation by DB-IP
  </a>
);

interface Props {
  domain: string;
  /** What the view is narrowed to. */
  filters: readonly Filter[];
  /** Places come from DB-IP Lite. */
  creditDbIp: boolean;
}

/** What people saw, where they came from, and with what. */
export function Panels({ domain, filters, creditDbIp }: Props) {
  const asked = useLists();
  if (!asked) return <PanelsSkeleton />;
  if (!asked.ok) return <NoLists {...asked} />;
  const { visitors, lists } = asked.answer;
  const placesKnown = lists.countries.some((row) => row.value !== null);
  const shown = { visitors, filters };
  const of = (...keys: PanelKey[]) => keys.map((key) => listOf(key, lists, domain));
  return (
    <ListsFrame className={`grid gap-4 lg:grid-cols-2 ${placesKnown ? "" : "xl:grid-cols-3"}`}>
      <Panel title="Sources" {...shown} lists={of("sources", "channels")} />
      <Panel title="Pages" {...shown} lists={of("pages", "entry_pages", "exit_pages")} />
      {placesKnown && (
        <Panel
          title="Places"
          {...shown}
          lists={of("countries", "regions", "cities")}
          picture={{ label: "Map", content: <CountryMap filters={filters} /> }}
          footer={creditDbIp && <DbIpCredit />}
        />
      )}
      <Panel
        title="Devices"
        {...shown}
        lists={of("devices", "browsers", "os")}
        className={placesKnown ? "" : "lg:max-xl:col-span-2"}
      />
    </ListsFrame>
  );
}

/** The site's goals: a press on one narrows to the visitors who reached it. */
const goalList = (rows: ListRow[]): List => ({
  key: "goals",
  label: "Goals",
  column: "Goal",
  rows,
  filterOf: (name) => ({ dimension: `goal:${name}`, value: "yes" }),
});

/** Campaigns, goals and events, of what only some sites have. */
export function FurtherPanels({ filters }: Pick<Props, "filters">) {
  const asked = useLists();
  if (!asked?.ok) return null;
  const { visitors, lists, goals } = asked.answer;
  const of = (...keys: PanelKey[]) => keys.map((key) => listOf(key, lists));
  const further = [
    { title: "Campaigns", lists: of("utm_campaigns", "utm_sources", "utm_mediums") },
    goals.length > 0
      ? { title: "Goals and events", lists: [goalList(goals), { ...listOf("event_names", lists), label: "Events" }] }
      : { title: "Events", lists: of("event_names") },
  ].filter(({ lists }) => lists.some(({ rows }) => rows.length > 0));
  if (further.length === 0) return null;
  return (
    <ListsFrame className="grid gap-4 lg:grid-cols-2">
      {further.map((panel) => (
        <Panel key={panel.title} {...panel} {...{ visitors, filters }} className="lg:only:col-span-2" />
      ))}
    </ListsFrame>
  );
}

/** Lists that somebody has chosen, each by itself. */
export function ChosenPanels({ panels, domain, filters, creditDbIp }: Props & { panels: readonly PanelKey[] }) {
  const asked = useLists();
  if (!asked) return <PanelsSkeleton />;
  if (!asked.ok) return <NoLists {...asked} />;
  const { visitors, lists } = asked.answer;
  return (
    <ListsFrame className="grid gap-4 lg:grid-cols-2">
      {panels.map((panel) => (
        <Panel
          key={panel}
          title={PANEL_NAMES[panel]}
          lists={[listOf(panel, lists, domain)]}
          {...{ visitors, filters }}
          className="lg:last:odd:col-span-2"
          footer={PLACES.includes(panel) && creditDbIp && <DbIpCredit />}
        />
      ))}
    </ListsFrame>
  );
}

/** In their place why there are none: the numbers above may well be there. */
const NoLists = (refused: Extract<QueryResult<never>, { ok: false }>) => (
  <ListsFrame className="card p-4">
    <RefusedNotice {...refused} />
  </ListsFrame>
);
