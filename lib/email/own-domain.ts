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
