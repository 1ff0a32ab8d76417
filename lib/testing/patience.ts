/**
 * How long a test waits for what must happen, in milliseconds. Only a fault reaches it: it is many times what a slow and
 * busy machine needs, and a test that passes never waits for it.
 */
export const PATIENT_MS = 300_000;
