import { msg } from "@/lib/texts/translate";

/** The outcome of an event, with the sentence shown to people. */
export const DEBUG_OUTCOMES = {
  stored: "Counted in its traffic class",
  duplicate: "An event with the same id is already stored",
  filtered: "Excluded by the rules of this site",
  invalid: "Invalid; the sender got an error",
  refused: "Refused; the sender got an error",
  error: "Could not be stored; the sender can retry",
} as const;
export type DebugOutcome = keyof typeof DEBUG_OUTCOMES;

/** The API that an event was sent to, or the product whose client sent it, as people read it. */
export const SURFACES = {
  events_api: msg("Events API"),
  measurement_protocol: msg("Measurement Protocol"),
  plausible: msg("Events API, from a Plausible client"),
  umami: msg("Umami client"),
  segment: msg("Segment client"),
} as const;

/** The address that a visitor was identified by. None of them is stored. */
export const ADDRESSES_FROM = {
  connection: msg("the address that the request came from"),
  forwarded: msg("the address in X-Forwarded-For, as a proxy of the site sent it"),
  forwarded_signed: msg("the address in X-Forwarded-For, signed by a proxy of the site"),
  client_ip: msg("the address in X-Footfall-Client-IP, signed with the ingest key"),
  context_ip: msg("the address in context.ip, sent with the ingest key"),
  none: msg("no address"),
} as const;
export type AddressFrom = keyof typeof ADDRESSES_FROM;
