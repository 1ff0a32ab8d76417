/** Precisions with which visitor locations are stored, with their labels. */
export const PRECISIONS = {
  city: "Country, region and city",
  region: "Country and region",
  country: "Country only",
  none: "No locations",
} as const;
export type Precision = keyof typeof PRECISIONS;

export interface Privacy {
  anonymiseIp: boolean;
  geoPrecision: Precision;
  honourGpc: boolean;
  /** Whether returning visitors are recognised within a month, only for the retention report. */
  retentionSalt: boolean;
}

/** Labels of the settings, for the form and for the approval that a human compares with it. */
export const PRIVACY_LABELS: Record<keyof Privacy, string> = {
  anonymiseIp: "Truncate IP addresses",
  geoPrecision: "Locations",
  honourGpc: "Honour Global Privacy Control",
  retentionSalt: "Recognise returning visitors within a month",
};
