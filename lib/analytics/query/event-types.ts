import { EVENT_TYPES } from "@/lib/contract/vocabulary";

const { pageview, screen, event, passive, commerce } = EVENT_TYPES;
/** Types of events that count as pageviews. */
export const VIEWS: readonly number[] = [pageview, screen];
/** Types that count as events. */
export const COUNTED_EVENTS: readonly number[] = [event, commerce];
/** Types with a name that filters and goals can use. */
export const NAMED_EVENTS: readonly number[] = [event, passive, commerce];
/** Types of events that can reach a goal or a step of a funnel, by its kind. */
export const TYPES_OF_KIND = { page: VIEWS, event: NAMED_EVENTS } as const;
