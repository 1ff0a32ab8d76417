import { scopesInLine } from "@/components/agents/scope-list";
import { rich } from "@/components/ui/rich";
import { When } from "@/components/ui/when";
import { type Connection, listPersonalTokens } from "@/lib/oauth/connections";
import { DAY_MS } from "@/lib/platform/durations";
import { siteTitle } from "@/lib/platform/legible-host";
import { TOKEN_WARNING_DAYS } from "@/lib/platform/limits";
import { msg, t } from "@/lib/texts/translate";
import { Tokens } from "./tokens";

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
        times: rich(
          lastUsedAt
            ? msg("Made {made}, expires {expires}, last used {used}")
            : msg("Made {made}, expires {expires}, never used"),
          {
            made: <When at={connectedAt} now={now} />,
            expires: expiresAt && <When at={expiresAt} now={now} />,
            used: lastUsedAt && <When at={lastUsedAt} now={now} />,
          },
        ),
      }))}
      ended={ended.map((token) => ({
        clientId: token.clientId,
        name: token.name,
        how: <EndedToken {...token} now={now} />,
      }))}
    />
  );
}

function sitesInLine(sites: Connection["sites"]): string {
  if (sites.length === 0) return t("none of your sites");
  return sites.length > NAMED_SITES
    ? t("{count, plural, one {# site} other {# sites}}", { count: sites.length })
    : sites.map(siteTitle).join(", ");
}

function EndedToken({ revokedAt, expiresAt, now }: Connection & { now: Date }) {
  const isRevoked = revokedAt !== null && (expiresAt === null || revokedAt < expiresAt);
  const at = isRevoked ? revokedAt : expiresAt;
  return rich(isRevoked ? msg("revoked {when}") : msg("expired {when}"), { when: at && <When at={at} now={now} /> });
}
