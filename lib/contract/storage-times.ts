/** How long what concerns visitors is kept at most, for the code that deletes it and for the texts that say so. */

/** The random salt of a day, without which its pseudonyms lead to nobody. */
export const DAY_SALT_HOURS = 48;
/** Ids of events that the browser script generated. Longer than a page keeps an event to retry it: `lib/tracker/send.ts`. */
export const PAGE_KEY_DAYS = 8;
/** What is needed to put later events of a sender into the order of time, after the time of the event. */
export const TIMED_DAYS = 4;
/** What a live test recorded, after its end. */
export const LIVE_TEST_MINUTES = 60;
/** Addresses and pseudonyms in memory, after the last event that needs them. */
export const IN_MEMORY_SECONDS = 60;
