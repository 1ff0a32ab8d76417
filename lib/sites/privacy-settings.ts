/**
 * The privacy settings of a site, by their names in the API: the form, the fields and answers of the operations, the docs, and the
 * lines that a human approves derive from an entry. A new setting is an entry here, a column of `Site`, and the step of ingest that
 * obeys it.
 */
export const PRIVACY_SETTINGS = {
  anonymise_ip: {
    column: "anonymiseIp",
    label: "Truncate IP addresses",
    about: "Whether IP addresses are truncated before visitors and locations are derived from them",
    hint: "Visitors and locations are derived from 24 bits of an IPv4 and 48 bits of an IPv6 address, so neighbours with the same browser count as one visitor.",
  },
  geo_precision: {
    column: "geoPrecision",
    label: "Locations",
    about: "How exactly locations are stored",
    hint: "Precision of the stored location, which is looked up from the IP address of the visit.",
    choices: {
      city: "Country, region and city",
      region: "Country and region",
      country: "Country only",
      none: "No locations",
    },
  },
  honour_gpc: {
    column: "honourGpc",
    label: "Honour Global Privacy Control",
    about: "Whether visitors who send Sec-GPC or Do Not Track are not counted",
    hint: "Events of browsers that send Sec-GPC or Do Not Track are excluded; only their number is counted.",
  },
  retention_salt: {
    column: "retentionSalt",
    label: "Recognise returning visitors within a month",
    about: "Whether returning visitors are recognised within a month, only for analytics.retention",
    hint: "For the retention report only: a random salt per calendar month links the days of a visitor, and is deleted at the end of the month. Turning this off deletes all data that was stored for it.",
  },
} as const;

type Settings = typeof PRIVACY_SETTINGS;
export type PrivacySetting = keyof Settings;
/** The values of the settings by their names in the API: one of the choices, or yes or no. */
export type Privacy = {
  [Name in PrivacySetting]: Settings[Name] extends { choices: infer Choices } ? keyof Choices & string : boolean;
};

interface Setting {
  name: PrivacySetting;
  column: string;
  label: string;
  about: string;
  hint: string;
  /** The choices and their labels; none for yes or no. */
  choices?: Readonly<Record<string, string>>;
}
export const privacySettings: readonly Setting[] = Object.entries(PRIVACY_SETTINGS).map(([name, setting]) => ({
  name: name as PrivacySetting,
  ...setting,
}));
