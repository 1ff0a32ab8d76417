/** A website id of another product that an owner maps to a site: a UUID in Umami, or any other name without a dot. */
export const WEBSITE_ID = /^[A-Za-z0-9_-]{3,64}$/;

/** Whether an event names its site by a website id. A trial site may be called localhost. */
export const isWebsiteId = (text: string): boolean => WEBSITE_ID.test(text) && text.toLowerCase() !== "localhost";
