import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import { Notice } from "@/components/ui/notice";
import { When } from "@/components/ui/when";
import { manages } from "@/lib/contract/vocabulary";
import sitesSearchEnginesList from "@/lib/operations/sites.search_engines.list";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { Connection } from "./connection";

export const metadata: Metadata = { title: "Search engines" };

interface Props extends SettingsProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SearchPage(props: Props) {
  const { owner, site } = await openSettings("search", props);
  const now = new Date();
  const { connections } = await query(sitesSearchEnginesList, owner, { site_id: site.site_id }, now);
  const { provider, outcome } = await props.searchParams;
  const back = connections.find((one) => one.provider === provider);
  const shown = (at: string | null) => at && <When at={new Date(at)} now={now} />;
  return (
    <SettingsFrame site={site} page="search">
      {back && typeof outcome === "string" && (
        <WayBack outcome={outcome} name={back.name} property={back.property} domain={site.domain} />
      )}
      {connections.map(({ connected_at, fetched_at, next_fetch_at, ...connection }) => (
        <Connection
          key={connection.provider}
          siteId={site.site_id}
          connection={connection}
          connected={shown(connected_at)}
          fetched={shown(fetched_at)}
          // Before the first fetch has ended, this is when another process may take it over.
          next={fetched_at && shown(next_fetch_at)}
          mayConnect={site.role === "owner"}
          mayFetch={manages(site.role)}
        />
      ))}
    </SettingsFrame>
  );
}

interface WayBackProps {
  outcome: string;
  /** The name of the provider. */
  name: string;
  property: string | null;
  domain: string;
}

/** Says how the way to a provider and back ended. What the address says is only a word of this list. */
function WayBack({ outcome, name, property, domain }: WayBackProps) {
  const text = new Map([
    ["connected", `Connected to ${name}${property ? ` as ${property}` : ""}. The first numbers appear within minutes.`],
    ["cancelled", `You did not consent at ${name}, so nothing is connected.`],
    [
      "expired",
      "This way back is no longer valid: it works once, for 15 minutes, in the browser that began. Connect again.",
    ],
    ["no_permission", `The permission to read ${name} was not given. Connect again, and leave it ticked.`],
    [
      "no_property",
      `This account has no property at ${name} that is only about ${domain}. Add and verify the domain, or an address on it, there, or connect with another account.`,
    ],
    ["role", "Only an owner of this site connects it."],
    [
      "setup",
      `${name} refuses this service. Its operator must check the client id, its secret and the redirect address.`,
    ],
    ["unreachable", `${name} cannot be reached at the moment. Try again later.`],
    ["failed", `${name} has not confirmed the consent. Connect again.`],
  ]).get(outcome);
  if (!text) return null;
  return <Notice tone={outcome === "connected" ? "good" : outcome === "cancelled" ? "warn" : "bad"}>{text}</Notice>;
}
