import type { ChangeLine } from "@/lib/contract/define";
import { msg } from "@/lib/texts/translate";

interface Entry {
  /** Its column of `Site`. */
  column: string;
  /** What people read: in the form, in the lines that a human approves, and in the privacy record. */
  label: string;
  /** Its text in the API. */
  about: string;
  /** What follows from it, below the label in the form. */
  hint?: string;
  /** Calls must give it. Only what they always had to give is required: any other call would become invalid. */
  required?: true;
  /** The values of a choice, and how people read them. Without them, the setting is on or off. */
  choices?: Readonly<Record<string, string>>;
  /** The names of off and on in the API; false and true if absent. */
  names?: readonly [off: string, on: string];
  /** How people read off and on; No and Yes if absent. */
  words?: readonly [off: string, on: string];
}

/**
 * The choices of a site by the form that sets them, and their names in the API. Forms, fields and answers of operations,
 * docs and the lines that a human approves derive from an entry.
 */
export const SITE_SETTINGS = {
  /** `sites.settings.update`, with what it shows of the public dashboard. */
  dashboard: {
    public: {
      column: "public",
      label: msg("Public dashboard"),
      about: "Whether anybody can see the dashboard at `public_url`",
      hint: msg(
        "Anyone with the URL sees the dashboard without signing in: visitors, sources, pages, locations and devices, over time and filtered. Reports, settings, members and agents stay private.",
      ),
      required: true,
      words: [msg("Members only"), msg("Anyone")],
    },
    public_revenue: {
      column: "publicRevenue",
      label: msg("Show revenue on the public dashboard"),
      about: "Whether the public dashboard shows revenue, orders and average order, in total and per row of its lists",
      hint: msg(
        "Readers then see revenue, orders and average order: in total, over time, and the revenue of each row, such as a source or country. Goals and conversions stay hidden.",
      ),
    },
    public_credit: {
      column: "publicCredit",
      label: msg("Say “Counted by Footfall” below the public dashboard"),
      about: "Whether the public dashboard says that Footfall counted",
    },
  },
  /** `sites.settings.update`. */
  general: {
    trailing_slashes: {
      column: "mergeSlashes",
      label: msg("Ignore slashes at the end of paths"),
      about:
        "Whether /pricing and /pricing/ are one page. It holds for all days of all reports, and for filters, goals, funnels and exclusions; what is stored does not change",
      hint: msg(
        "/pricing and /pricing/ are one page: in all reports, past days included, and in filters, goals, funnels and exclusions.",
      ),
      names: ["separate_pages", "same_page"],
    },
    local_pages: {
      column: "localPages",
      label: msg("Count pages on localhost"),
      about:
        "Whether pages on localhost, names below it and 127.0.0.1 are counted as pages of the site, with that hostname",
      hint: msg(
        "For a trial before you publish: pages on localhost and 127.0.0.1 are counted like the site’s own. They keep their hostname, by which reports can leave them out. Turn it off once the site is live.",
      ),
    },
  },
  /** `sites.privacy.update`. */
  privacy: {
    anonymise_ip: {
      column: "anonymiseIp",
      label: msg("Truncate IP addresses"),
      about: "Whether IP addresses are truncated before visitors and locations are derived from them",
      hint: msg(
        "Visitors and locations are derived from 24 bits of an IPv4 and 48 bits of an IPv6 address, so neighbours with the same browser count as one visitor.",
      ),
      required: true,
    },
    geo_precision: {
      column: "geoPrecision",
      label: msg("Locations"),
      about: "How exactly locations are stored",
      hint: msg("Precision of the stored location, which is looked up from the IP address of the visit."),
      required: true,
      choices: {
        city: msg("Country, region and city"),
        region: msg("Country and region"),
        country: msg("Country only"),
        none: msg("No locations"),
      },
    },
    honour_gpc: {
      column: "honourGpc",
      label: msg("Honour Global Privacy Control"),
      about: "Whether visitors who send Sec-GPC or Do Not Track are not counted",
      hint: msg("Events of browsers that send Sec-GPC or Do Not Track are excluded; only their number is counted."),
      required: true,
    },
    retention_salt: {
      column: "retentionSalt",
      label: msg("Recognise returning visitors within a month"),
      about: "Whether returning visitors are recognised within a month, only for analytics.retention",
      hint: msg(
        "For the retention report only: a random salt per calendar month links the days of a visitor, and is deleted at the end of the month. Turning this off deletes all data that was stored for it.",
      ),
      required: true,
    },
  },
  /** `sites.proxy.update`. */
  proxies: {
    require_signature: {
      column: "requireSignature",
      label: msg("Require signatures"),
      about: "Whether these proxies must sign the addresses they forward",
      hint: msg("Forwarded events without a valid signature are refused."),
      required: true,
    },
  },
  /** `sites.monitoring`. */
  monitoring: {
    enabled: {
      column: "monitoring",
      label: msg("Monitor this site"),
      about: "Whether the site is monitored and its members are emailed about incidents",
      hint: msg(
        "Checks the page from outside every five minutes, and compares the site's traffic with its last four weeks.",
      ),
      required: true,
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Entry>>>>;

/** The label of `page_query`, which is neither a choice nor on or off. */
export const PAGE_QUERY = msg("Query parameters that make a page");

type Table = typeof SITE_SETTINGS;
export type SettingGroup = keyof Table;
type Value<E> = E extends { choices: infer C }
  ? keyof C & string
  : E extends { names: readonly (infer N)[] }
    ? N
    : boolean;
type Stored<E> = E extends { choices: infer C } ? keyof C & string : boolean;
/** The settings of a group that calls must give. */
export type RequiredSetting<G extends SettingGroup> = {
  [Name in keyof Table[G]]: Table[G][Name] extends { required: true } ? Name : never;
}[keyof Table[G]];

/** The values of a group by their names in the API. */
export type SettingValues<G extends SettingGroup> = { [Name in keyof Table[G]]: Value<Table[G][Name]> };
/** What a call gives of a group. Settings that it leaves out stay as they are. */
export type GivenSettings<G extends SettingGroup> = { [Name in RequiredSetting<G>]: Value<Table[G][Name]> } & {
  [Name in Exclude<keyof Table[G], RequiredSetting<G>>]?: Value<Table[G][Name]> | null | undefined;
};
type SettingColumns<G extends SettingGroup> = {
  [Name in keyof Table[G] as Table[G][Name] extends { column: infer Column extends string } ? Column : never]?: Stored<
    Table[G][Name]
  >;
};

/** A setting with its name in the API. */
export interface SiteSetting extends Entry {
  name: string;
}

/** Returns the settings of a group, in the order of the form. */
export const settingsOf = (group: SettingGroup): SiteSetting[] =>
  Object.entries<Entry>(SITE_SETTINGS[group]).map(([name, entry]) => ({ name, ...entry }));

/** Returns the values of a group by their columns in a row of `Site`. */
export const settingsIn = <G extends SettingGroup>(
  group: G,
  row: Readonly<Record<string, unknown>>,
): SettingValues<G> =>
  Object.fromEntries(
    settingsOf(group).map((one) => [one.name, one.names ? one.names[row[one.column] ? 1 : 0] : row[one.column]]),
  ) as SettingValues<G>;

/** Returns the columns of what a call gives of a group. */
export const settingColumns = <G extends SettingGroup>(group: G, given: GivenSettings<G>): SettingColumns<G> =>
  Object.fromEntries(
    givenOf(group, given).map(([one, value]) => [one.column, one.choices ? value : isOn(one, value)]),
  ) as SettingColumns<G>;

/** Whether a value of a setting that is on or off means on. */
export const isOn = ({ names }: Pick<SiteSetting, "names">, value: unknown): boolean =>
  value === (names ? names[1] : true);

/** Returns the value of a setting that is on or off. */
export const switched = ({ names }: Pick<SiteSetting, "names">, on: boolean): string | boolean =>
  names ? names[on ? 1 : 0] : on;

/** Returns a value of a setting as people read it. */
export function settingText(setting: SiteSetting, value: unknown): string {
  if (setting.choices) return setting.choices[`${value}`] ?? `${value}`;
  const [off, on] = setting.words ?? [msg("No"), msg("Yes")];
  return isOn(setting, value) ? on : off;
}

/** Returns the lines that a human approves, of what a call gives of a group. @param row the site before the change */
export function settingLines<G extends SettingGroup>(
  group: G,
  row: Readonly<Record<string, unknown>>,
  given: GivenSettings<G>,
): ChangeLine[] {
  const before: Record<string, unknown> = settingsIn(group, row);
  return givenOf(group, given).map(([one, value]) => ({
    label: one.label,
    before: settingText(one, before[one.name]),
    after: settingText(one, value),
  }));
}

function givenOf<G extends SettingGroup>(group: G, given: GivenSettings<G>): [SiteSetting, unknown][] {
  const values: Readonly<Record<string, unknown>> = given;
  return settingsOf(group).flatMap((one): [SiteSetting, unknown][] => {
    const value = values[one.name];
    return value === undefined || value === null ? [] : [[one, value]];
  });
}
