const SENTENCES: Record<string, string> = {
  gpc: "The browser asks not to be tracked (Global Privacy Control), which this site honours",
  visit_over: "Reading time was reported for a visit that was already over",
  "invalid_input:Origin": "Sent by a page that is not on this site's domain",
  "invalid_input:url": "The page's address is not on this site's domain",
  rate_limited: "Too many events from one address",
  quota_exceeded: "The monthly quota is used up",
  unavailable: "The service was too busy for a moment",
};

/** Why something was not counted, in words. */
export function refusalSentence(reason: string): string {
  const [code, path] = reason.split(":");
  if (code === "invalid_input" && path) return SENTENCES[reason] ?? `The field “${path}” was not understood`;
  return SENTENCES[reason] ?? reason.replaceAll("_", " ");
}
