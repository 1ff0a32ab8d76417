import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { isThisMachine } from "@/lib/platform/local-trial";

/** Sites of `localhost`, for a trial on the machine that the server runs on. */

/** Whether only browsers on the server's own machine reach it by its address. */
export const isReachedLocally = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl);
  return hostname === "[::1]" || isThisMachine(hostname);
};

/**
 * Refuses a local trial on a server with a public address: `localhost` is another machine for each of its people.
 *
 * @throws Refusal `invalid_input` naming `domain`
 */
export function requireTrialHere(host: string): void {
  const { BASE_URL } = env();
  if (!isThisMachine(host) || isReachedLocally(BASE_URL)) return;
  throw invalidInput([
    {
      path: "domain",
      message: `is a different machine for everybody, so it can be tried only while BASE_URL is on it too, not with ${BASE_URL}; enter the domain that visitors open`,
    },
  ]);
}

/** The refusal of a local trial whose name another site has. Nobody can prove that the name is theirs, so all others stay free. */
export const trialTaken = (host: string): Refusal =>
  new Refusal(
    "domain_taken",
    `${host} is tried by another site of this server. Browsers open every name that ends in .localhost on this machine too: choose one, such as shop.localhost.`,
    { issues: [{ path: "domain", message: "is tried by another site; use another name, such as shop.localhost" }] },
  );

/** What to know before a snippet of a server that only its own machine reaches is published; null for others. */
export const reachWarning = (baseUrl: string, domain: string): string | null =>
  isReachedLocally(baseUrl) && !isThisMachine(domain)
    ? `Only browsers on the machine of this server reach ${baseUrl}, so visitors of a public site would not be counted. Before you publish the snippet, start the server with BASE_URL set to its public address, then copy the snippet again.`
    : null;
