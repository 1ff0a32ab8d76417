/** What becomes of a hit, with the sentence a person reads. */
export const DEBUG_OUTCOMES = {
  stored: "Counted, in its class of traffic",
  duplicate: "An event with the same id was there already",
  filtered: "Left out by the rules of this site",
  invalid: "Not understood; the sender was told why",
  refused: "Not accepted; the sender was told why",
  error: "Could not be stored; the sender was asked to send it again",
} as const;
export type DebugOutcome = keyof typeof DEBUG_OUTCOMES;

/** Which address a visitor was told apart by. None of them is kept. */
export const ADDRESSES_FROM = {
  connection: "the address that the request came from",
  forwarded: "the address in X-Forwarded-For, as a proxy of the site sent it",
  forwarded_signed: "the address in X-Forwarded-For, signed by a proxy of the site",
  client_ip: "the address in X-Footfall-Client-IP, signed with the ingest key",
  none: "no address",
} as const;
export type AddressFrom = keyof typeof ADDRESSES_FROM;
