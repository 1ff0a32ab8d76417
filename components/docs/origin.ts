/** The address of this service in prerendered pages, which do not know it. The browser replaces it. */
export const PLACEHOLDER_ORIGIN = "https://footfall.example";
