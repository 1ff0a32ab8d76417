/** Maximum body size of one event, and of a batch. */
export const EVENT_LIMIT_BYTES = 64 * 1024;
export const BATCH_LIMIT_BYTES = 1024 * 1024;
