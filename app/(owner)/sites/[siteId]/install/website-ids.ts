/** The place on a page where Umami's website ids are mapped to the site. */
export const WEBSITE_IDS = "website-ids";
