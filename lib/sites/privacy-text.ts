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
