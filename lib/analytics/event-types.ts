import { EVENT_TYPES } from "@/lib/contract/vocabulary";

/** Which types of events are counted as what. */

const { pageview, screen, event, passive, commerce } = EVENT_TYPES;
/** What counts as a pageview, as the facts' types. */
export const VIEWS: readonly number[] = [pageview, screen];
/** What counts among the events. */
export const COUNTED_EVENTS: readonly number[] = [event, commerce];
/** What has a name that a filter or a goal can ask for. */
export const NAMED_EVENTS: readonly number[] = [event, passive, commerce];
