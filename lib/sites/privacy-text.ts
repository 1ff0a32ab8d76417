/** How exactly a site keeps the places of its visitors, each with the words a person reads. */
export const PRECISIONS = {
  city: "Country, region and city",
  region: "Country and region",
  country: "Country only",
  none: "No places at all",
} as const;
export type Precision = keyof typeof PRECISIONS;

export interface Privacy {
  anonymiseIp: boolean;
  geoPrecision: Precision;
  honourGpc: boolean;
  /** Whether people are known again within one month, for the report on retention alone. */
  retentionSalt: boolean;
}
