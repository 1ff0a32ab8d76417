import { legibleHost } from "@/lib/platform/legible-host";

/**
 * Returns whether a domain of a site may become a link in emails to the people of that site: a person named or approved
 * it, or it is verified. Agents name sites without approval.
 */
export const isOwnDomain = ({
  verifiedAt,
  namedByAgent,
}: {
  verifiedAt: Date | null;
  namedByAgent: boolean;
}): boolean => verifiedAt !== null || !namedByAgent;

/**
 * Returns a domain as emails to the people of its site write it. Only one that is theirs is written in its own letters:
 * a foreign one could look like another.
 */
export const emailedName = (domain: Parameters<typeof isOwnDomain>[0] & { host: string }): string =>
  isOwnDomain(domain) ? legibleHost(domain.host) : domain.host;
