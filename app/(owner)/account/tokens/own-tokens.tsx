import { scopesInLine } from "@/components/agents/scope-list";
import { When } from "@/components/ui/when";
import { type Connection, listPersonalTokens } from "@/lib/oauth/connections";
import { siteTitle } from "@/lib/platform/legible-host";
import { TOKEN_WARNING_DAYS } from "@/lib/platform/limits";
import { Tokens } from "./tokens";

const DAY_MS = 24 * 3600_000;
/** So many sites of a token are named, and beyond it they are counted. */
const NAMED_SITES = 3;

/** The tokens of a person, as shown on their account page. */
export async function OwnTokens({ personId, now }: { personId: number; now: Date }) {
  const { active, ended } = await listPersonalTokens(personId, now);
  return (
    <Tokens
      tokens={active.map(({ clientId, name, scopes, sites, connectedAt, lastUsedAt, expiresAt }) => ({
        clientId,
        name,
        mayDo: scopesInLine(scopes),
        sites: sitesInLine(sites),
        endsSoon: expiresAt !== null && expiresAt.getTime() - now.getTime() <= TOKEN_WARNING_DAYS * DAY_MS,
        times: (
          <>
            Made <When at={connectedAt} now={now} />, expires {expiresAt && <When at={expiresAt} now={now} />},{" "}
            {lastUsedAt ? (
              <>
                last used <When at={lastUsedAt} now={now} />
              </>
            ) : (
              "never used"
            )}
          </>
        ),
      }))}
      ended={ended.map((token) => ({
        clientId: token.clientId,
        name: token.name,
        how: <Ended {...token} now={now} />,
      }))}
    />
  );
}

function sitesInLine(sites: Connection["sites"]): string {
  if (sites.length === 0) return "none of your sites";
  return sites.length > NAMED_SITES ? `${sites.length} sites` : sites.map(siteTitle).join(", ");
}

function Ended({ revokedAt, expiresAt, now }: Connection & { now: Date }) {
  const isRevoked = revokedAt !== null && (expiresAt === null || revokedAt < expiresAt);
  const at = isRevoked ? revokedAt : expiresAt;
  return (
    <>
      {isRevoked ? "revoked" : "expired"} {at && <When at={at} now={now} />}
    </>
  );
}
