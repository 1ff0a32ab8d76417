"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { embedCode } from "@/components/shell/embed-code";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { rich } from "@/components/ui/rich";
import { RowButton } from "@/components/ui/row-button";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";
import { type Access, EndAccess, Expiry, endAction } from "../end-access";
import { CreateLink, type LinkChoices } from "./create-link";

export interface ShownLink extends Access {
  id: number;
  url: string;
  /** Address for frames; null if the link is not for frames. */
  embedUrl: string | null;
  /** What it shows, and within which limits. */
  shows: string;
  limits: string[];
  /** Formatted time; null for never. */
  lastUsed: ReactNode;
  uses: number;
}

interface Props {
  siteId: number;
  /** The hosts under which links work, the service's own first. */
  hosts: string[];
  links: ShownLink[];
  choices: LinkChoices;
}

/** Private links of a site, with buttons to create, copy and revoke them. */
export function ShareLinks({ siteId, hosts, links, choices }: Props) {
  const [host, setHost] = useState(hosts[0] ?? "");
  const [revoking, setRevoking] = useState<ShownLink>();
  const router = useRouter();

  /** The same address under the chosen host. */
  function under(address: string): string {
    const url = new URL(address);
    if (host !== url.host && host !== hosts[0]) {
      url.port = "";
      url.host = host;
    }
    return url.href;
  }

  return (
    <>
      <Section
        title={t("Private links")}
        about={t("Whoever has a link sees what it shows, without an account. The newest is first.")}
        aside={
          hosts.length > 1 && (
            <Select
              label={t("Host of copied links")}
              quiet
              choices={hosts.map((one) => ({ value: one, label: one }))}
              value={host}
              onChange={(event) => setHost(event.target.value)}
            />
          )
        }
      >
        {links.length === 0 ? (
          <p className="text-sm text-muted">
            {t(
              "No links yet. Create one below to show a client, a team or the press their numbers: all of the dashboard, or only one segment, period or report.",
            )}
          </p>
        ) : (
          <ul className="-my-3 divide-y divide-line">
            {links.map((link) => (
              <li key={link.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
                <div className="min-w-0 flex-1 basis-64 text-sm">
                  <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                    <span className="min-w-0 break-words">{link.name}</span>
                    {link.ended && <Badge>{badge("expired")}</Badge>}
                    {link.embedUrl && <Badge>{badge("embed")}</Badge>}
                  </p>
                  <p className="break-words">{[link.shows, ...link.limits].join(" · ")}</p>
                  <p className="text-muted">
                    {link.lastUsed === null
                      ? t("Never opened")
                      : rich("Opened {count, plural, one {once} other {# times}}, last {when}", {
                          count: link.uses,
                          when: link.lastUsed,
                        })}
                    , <Expiry of={link} />
                  </p>
                </div>
                <div className="flex flex-wrap gap-2">
                  {!link.ended && (
                    <CopyButton
                      text={under(link.url)}
                      what={t("the link {name}", { name: link.name })}
                      label={t("Copy link")}
                    />
                  )}
                  {!link.ended && link.embedUrl && (
                    <CopyButton
                      text={embedCode(under(link.embedUrl))}
                      what={t("the embed code of {name}", { name: link.name })}
                      label={t("Copy embed code")}
                    />
                  )}
                  <RowButton action={endAction(link)} name={link.name} onClick={() => setRevoking(link)} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <CreateLink siteId={siteId} choices={choices} under={under} onCreated={() => router.refresh()} />
      {revoking && (
        <EndAccess
          operation="sites.links.revoke"
          input={{ site_id: siteId, link_id: revoking.id }}
          of={revoking}
          onClose={() => setRevoking(undefined)}
        >
          {t("Takes effect at once: its pages, frames and downloads show nothing any more. It cannot be restored.")}
        </EndAccess>
      )}
    </>
  );
}

const badge = (of: "expired" | "embed"): string => t("{badge, select, expired {Expired} other {Embed}}", { badge: of });
