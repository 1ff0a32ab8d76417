"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import type { ListRow, PanelKey, PanelsAnswer, QueryResult } from "@/components/reports/answers";
import { CountryMap } from "@/components/reports/country-map";
import { type ListPanel, PANEL_NAMES } from "@/components/reports/dashboard-panels";
import { useSiteBasePath } from "@/components/reports/filtering";
import type { Filter } from "@/components/reports/filters";
import { ListsFrame, useLists } from "@/components/reports/lists";
import { type List, Panel } from "@/components/reports/panel";
import { RefusedNotice } from "@/components/reports/refused-notice";
import { sharedQuery } from "@/components/reports/shared-query";
import { PanelsSkeleton } from "@/components/reports/skeletons";
import type { ReportKey } from "@/lib/contract/reports";
import { isThisMachine } from "@/lib/platform/local-trial";
import { msg, t } from "@/lib/texts/translate";

type Lists = PanelsAnswer["lists"];

/** Tab label, column heading and dimension of each list of the overview. */
const LISTS = {
  sources: [msg("Sources"), msg("Source"), "source"],
  channels: [msg("Channels"), msg("Channel"), "channel"],
  pages: [msg("Top"), msg("Page"), "page"],
  entry_pages: [msg("Entry"), msg("Page"), "entry_page"],
  exit_pages: [msg("Exit"), msg("Page"), "exit_page"],
  countries: [msg("Countries"), msg("Country"), "country"],
  regions: [msg("Regions"), msg("Region"), "region"],
  cities: [msg("Cities"), msg("City"), "city"],
  devices: [msg("Device"), msg("Device"), "device"],
  browsers: [msg("Browser"), msg("Browser"), "browser"],
  os: [msg("System"), msg("System"), "os"],
  utm_campaigns: [msg("Campaign"), msg("Campaign"), "utm_campaign"],
  utm_sources: [msg("Source"), msg("Source"), "utm_source"],
  utm_mediums: [msg("Medium"), msg("Medium"), "utm_medium"],
  event_names: [msg("Event"), msg("Event"), "event"],
} as const satisfies Record<PanelKey, [label: string, column: string, dimension: string]>;

const PAGES: readonly PanelKey[] = ["pages", "entry_pages", "exit_pages"];
/** The panels with data of DB-IP Lite, whose licence requires a link. */
const LOCATIONS: readonly PanelKey[] = ["countries", "regions", "cities"];

/** Returns one list of the overview. Pages link to the host where they were seen. */
function listOf(key: PanelKey, lists: Lists): List {
  const [label, column, dimension] = LISTS[key];
  const list = { key, label: t(label), column: t(column), dimension, rows: lists[key] };
  return PAGES.includes(key) ? { ...list, href: urlOf } : list;
}

/** A local trial has no link: the port is unknown. */
const urlOf = ({ hostname, value: path }: ListRow): string | null =>
  hostname && !isThisMachine(hostname) && path?.startsWith("/") ? `https://${hostname}${path}` : null;

/** Pages of more than one host, each host's on its own. */
const listByHost = (rows: ListRow[]): List => ({
  key: "pages_by_host",
  label: t("By host"),
  column: t("Page"),
  rows,
  href: urlOf,
  filtersOf: ({ hostname, value }) => [
    { dimension: "hostname", value: hostname ?? "" },
    { dimension: "page", value: value ?? "" },
  ],
});

/** A list that is fetched when its tab is opened. Public dashboards and private links do not show these dimensions. */
function fetchedList(panel: keyof typeof FURTHER): List {
  const [label, column, dimension] = FURTHER[panel];
  return { key: dimension, label: t(label), column: t(column), dimension, rows: null };
}
const FURTHER = {
  hostnames: [msg("Hosts"), msg("Host"), "hostname"],
  languages: [msg("Languages"), msg("Language"), "language"],
  screens: [msg("Screen"), msg("Screen"), "screen"],
  utm_terms: [msg("Term"), msg("Term"), "utm_term"],
  utm_contents: [msg("Content"), msg("Content"), "utm_content"],
} as const satisfies Record<Exclude<ListPanel, PanelKey>, [label: string, column: string, dimension: string]>;
const isFurther = (panel: ListPanel): panel is keyof typeof FURTHER => panel in FURTHER;

/** Whether the reader is a member of the site, who sees all dimensions. */
const useIsMember = () => useSiteBasePath().startsWith("/sites/");

/** Robots by name, operator and purpose. */
const robotLists = ({ robots, operators, purposes }: PanelsAnswer["robots"]): List[] => [
  { key: "robots", label: t("Robots"), column: t("Robot, operator, purpose"), dimension: "bot", rows: robots },
  { key: "robot_operators", label: t("Operators"), column: t("Operator"), dimension: "bot_operator", rows: operators },
  { key: "robot_purposes", label: t("Purposes"), column: t("Purpose"), dimension: "bot_purpose", rows: purposes },
];

/** Link from a panel to the report that says more, for the same view. */
function ReportLink({ report, children }: { report: ReportKey; children: string }) {
  const href = `${useSiteBasePath()}/reports/${report}${sharedQuery(useSearchParams())}`;
  return (
    <Link href={href} prefetch={false} className="underline">
      {children}
    </Link>
  );
}

const DbIpCredit = () => (
  <a href="https://db-ip.com/" className="underline">
    {t("IP Geolocation by DB-IP")}
  </a>
);

interface Props {
  /** The active filters. */
  filters: readonly Filter[];
  /** Whether locations come from DB-IP Lite. */
  creditDbIp: boolean;
}

/** The default lists: sources, pages, locations and devices. */
export function MainPanels({ filters, creditDbIp }: Props) {
  const result = useLists();
  const isMember = useIsMember();
  if (!result) return <PanelsSkeleton />;
  if (!result.ok) return <NoLists {...result} />;
  const { visitors, currency, lists, pages_by_host: byHost, robots } = result.answer;
  const hasLocations = lists.countries.some((row) => row.value !== null);
  const hasOutcomes = lists.devices.some(({ conversions, revenue }) => (conversions ?? revenue) !== undefined);
  // Rows with conversions or revenue have no room for their value in a third of the page.
  const inThirds = !hasLocations && !hasOutcomes;
  const shown = { visitors, currency, filters };
  const of = (...keys: PanelKey[]) => keys.map((key) => listOf(key, lists));
  const forMembers = (...more: (keyof typeof FURTHER)[]) => (isMember ? more.map(fetchedList) : []);
  const byHosts = byHost.length > 0 ? [listByHost(byHost), ...forMembers("hostnames")] : [];
  const pages = [...of("pages", "entry_pages", "exit_pages"), ...byHosts];
  return (
    <ListsFrame className={`grid gap-4 lg:grid-cols-2 ${inThirds ? "xl:grid-cols-3" : ""}`}>
      {robots.robots.length > 0 && (
        <Panel
          title={t("Robots")}
          {...shown}
          lists={robotLists(robots)}
          footer={<ReportLink report="ai">{t("What AI agents and search engines read")}</ReportLink>}
          className={`lg:col-span-2 ${inThirds ? "xl:col-span-3" : ""}`}
        />
      )}
      <Panel title={t("Sources")} {...shown} lists={of("sources", "channels")} />
      <Panel title={t("Pages")} {...shown} lists={pages} />
      {hasLocations && (
        <Panel
          title={t("Locations")}
          {...shown}
          lists={[...of("countries", "regions", "cities"), ...forMembers("languages")]}
          picture={{ label: t("Map"), content: <CountryMap filters={filters} /> }}
          footer={creditDbIp && <DbIpCredit />}
        />
      )}
      <Panel
        title={t("Devices")}
        {...shown}
        lists={[
          ...of("devices", "browsers", "os"),
          ...forMembers("screens", ...(hasLocations ? [] : ["languages" as const])),
        ]}
        className={hasLocations ? "" : inThirds ? "lg:max-xl:col-span-2" : "lg:col-span-2"}
      />
    </ListsFrame>
  );
}

/** The site's goals; selecting one shows its conversions in all lists, and a further link filters by who reached it. */
const goalList = (rows: ListRow[], chosen: string | null): List => ({
  key: "goals",
  label: t("Goals"),
  column: t("Goal"),
  rows,
  choiceOf: ({ value, text: goal }) => ({
    patch: { goal: value === chosen ? null : value },
    chosen: value === chosen,
    title:
      value === chosen
        ? t("Hide the conversions of {goal}", { goal })
        : t("Show conversions of {goal} in all lists", { goal }),
    filterTitle: t("Only visitors who reached {goal}", { goal }),
  }),
  filtersOf: ({ value }) => [{ dimension: `goal:${value}`, value: "yes" }],
});

/** Lists of campaigns, goals and events, if the site has any. */
export function FurtherPanels({ filters }: Pick<Props, "filters">) {
  const goal = useSearchParams().get("goal");
  const result = useLists();
  const isMember = useIsMember();
  if (!result?.ok) return null;
  const { visitors, currency, lists, goals, goals_currency } = result.answer;
  const of = (...keys: PanelKey[]) => keys.map((key) => listOf(key, lists));
  const further = [
    {
      title: t("Campaigns"),
      footer: <ReportLink report="campaigns">{t("Campaigns report")}</ReportLink>,
      lists: [
        ...of("utm_campaigns", "utm_sources", "utm_mediums"),
        ...(isMember ? [fetchedList("utm_terms"), fetchedList("utm_contents")] : []),
      ],
    },
    goals.length > 0
      ? {
          title: t("Goals and events"),
          currency: currency ?? goals_currency,
          lists: [goalList(goals, goal), { ...listOf("event_names", lists), label: t("Events") }],
        }
      : { title: t("Events"), lists: of("event_names") },
  ].filter(({ lists }) => lists.some(({ rows }) => rows !== null && rows.length > 0));
  if (further.length === 0) return null;
  return (
    <ListsFrame className="grid gap-4 lg:grid-cols-2">
      {further.map((panel) => (
        <Panel
          key={panel.title}
          visitors={visitors}
          currency={currency}
          {...panel}
          filters={filters}
          className="lg:only:col-span-2"
        />
      ))}
    </ListsFrame>
  );
}

/** Custom panels, one card per list. */
export function ChosenPanels({ panels, filters, creditDbIp }: Props & { panels: readonly ListPanel[] }) {
  const result = useLists();
  const isMember = useIsMember();
  if (!result) return <PanelsSkeleton />;
  if (!result.ok) return <NoLists {...result} />;
  const { visitors, currency, lists, pages_by_host: byHost } = result.answer;
  const listsOf = (panel: ListPanel): List[] => {
    if (isFurther(panel)) return [fetchedList(panel)];
    return [listOf(panel, lists), ...(panel === "pages" && byHost.length > 0 ? [listByHost(byHost)] : [])];
  };
  const shown = isMember ? panels : panels.filter((panel) => !isFurther(panel));
  return (
    <ListsFrame className="grid gap-4 lg:grid-cols-2">
      {shown.map((panel) => (
        <Panel
          key={panel}
          title={t(PANEL_NAMES[panel])}
          lists={listsOf(panel)}
          visitors={visitors}
          currency={currency}
          filters={filters}
          className="lg:last:odd:col-span-2"
          footer={LOCATIONS.some((key) => key === panel) && creditDbIp && <DbIpCredit />}
        />
      ))}
    </ListsFrame>
  );
}

/** Error message in place of the lists. The numbers above may still be shown. */
const NoLists = (refused: Extract<QueryResult<never>, { ok: false }>) => (
  <ListsFrame className="card p-4">
    <RefusedNotice what={t("the lists")} {...refused} />
  </ListsFrame>
);
