/** The services whose exports can be imported, by their names in `source`, with their names for people. */
export const SERVICE_TITLES = {
  plausible: "Plausible",
  umami: "Umami",
  ga4: "Google Analytics 4",
  matomo: "Matomo",
  fathom: "Fathom",
  simple_analytics: "Simple Analytics",
  goatcounter: "GoatCounter",
} as const;
export type ServiceName = keyof typeof SERVICE_TITLES;
