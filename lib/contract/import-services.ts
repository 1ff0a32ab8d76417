/** The services whose exports can be imported, by their names in `source`, with their names for people. */
export const SERVICE_TITLES = {
  plausible: "Plausible",
  umami: "Umami",
  ga4: "Google Analytics 4",
  matomo: "Matomo",
  fathom: "Fathom",
  simple_analytics: "Simple Analytics",
  goatcounter: "GoatCounter",
  /** The export of what was imported before. */
  footfall_totals: "Footfall",
} as const;
/** The `source` of an import of Footfall's own export of events, which become the site's own. */
export const OWN_EVENTS = "footfall_events";

export type ServiceName = keyof typeof SERVICE_TITLES;

/** The articles of the docs that say how to get a service's export, and what of it is taken over. */
export const SERVICE_GUIDES = {
  plausible: "/docs/from-plausible",
  umami: "/docs/from-umami",
  ga4: "/docs/from-ga4",
  matomo: "/docs/from-matomo",
  fathom: "/docs/from-fathom",
  simple_analytics: "/docs/from-others",
  goatcounter: "/docs/from-others",
} as const satisfies Partial<Record<ServiceName, string>>;
