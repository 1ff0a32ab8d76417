"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { savedAddress } from "@/components/reports/saved-address";
import { sharedQuery } from "@/components/reports/shared-query";
import { useFetched } from "@/components/reports/use-fetched";
import { type SiteLink, useOnOtherSite, useOpenSite } from "@/components/shell/open-site";
import { type SettingsRoles, settingsPagesOf } from "@/components/shell/settings-pages";
import { Combobox } from "@/components/ui/combobox";
import type { Option } from "@/components/ui/combobox-list";
import { Dialog } from "@/components/ui/dialog";
import { REPORTS } from "@/lib/contract/reports";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  sites: SiteLink[];
  /** Number of all sites; `sites` holds only the first of them. */
  total: number;
  settings: SettingsRoles;
  /** Whether the reader administers the service. */
  runsService: boolean;
  onClose(): void;
}

const OTHER_PAGES: Option[] = [
  { value: "/sites", text: msg("All sites") },
  { value: "/sites/combined", text: msg("Combined report"), aside: msg("All sites") },
  { value: "/sites/new", text: msg("Add a site") },
  { value: "/teams", text: msg("Teams") },
  { value: "/approvals", text: msg("Approvals") },
  { value: "/agents", text: msg("Agents") },
  { value: "/account", text: msg("Account") },
  { value: "/account/log", text: msg("Your log"), aside: msg("Account") },
  { value: "/docs", text: msg("Docs") },
  { value: "/docs/api", text: msg("API reference"), aside: msg("Docs") },
  { value: "/docs/metrics", text: msg("What the metrics mean"), aside: msg("Docs") },
];

const ADMIN: Option = { value: "/admin", text: msg("Admin") };

/** The command palette: pages of the open site first, then the other sites, then all other pages. */
export default function PaletteDialog({ sites: first, total, settings, runsService, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const query = sharedQuery(useSearchParams());

  const open = useOpenSite(first, total);
  const onOther = useOnOtherSite();
  const optionOf = ({ siteId, label }: SiteLink): Option => ({
    value: onOther(siteId),
    text: label,
    aside: t("Site"),
  });
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ text, aside = "" }: Option) =>
    words.every((word) => `${text} ${aside}`.toLowerCase().includes(word));
  const isOther = ({ siteId }: SiteLink) => siteId !== open?.siteId;
  const known = first.filter(isOther).map(optionOf).filter(matches);
  const values = new Set(known.map(({ value }) => value));
  const searched = useSitesFound(typed).filter(isOther).map(optionOf);
  const saved = useSavedOf(open?.siteId ?? null);
  const found = [
    ...(open ? pagesOf(open, query, settings, saved).filter(matches) : []),
    ...known,
    ...searched.filter(({ value }) => !values.has(value)),
    ...[...OTHER_PAGES, ...(runsService ? [ADMIN] : [])].map(translated).filter(matches),
  ];

  function go([page]: Option[]) {
    if (!page) return;
    onClose();
    router.push(page.value);
  }
  return (
    <Dialog title={t("Go to")} light first={input} problems={{ fields: {} }} onCancel={onClose}>
      <Combobox
        label={t("A site, a report or a setting")}
        single
        inline
        free={false}
        chosen={[]}
        onChange={go}
        typed={typed}
        onType={setTyped}
        options={found}
        input={input}
        empty={t("No matches.")}
      />
    </Dialog>
  );
}

/** Returns the sites whose name or domains match the text, searched on the server. */
function useSitesFound(typed: string): SiteLink[] {
  const search = typed.trim();
  const url = search ? `/sites/find?${new URLSearchParams({ q: search })}` : null;
  const { answer, answerUrl } = useFetched<{ sites: SiteLink[] }>(url);
  return answer && answerUrl === url ? answer.sites : [];
}

/** Returns the saved dashboards and questions of a site, which are fetched when the palette opens. */
function useSavedOf(siteId: number | null): Option[] {
  const { answer } = useFetched<{ dashboards: { id: string; name: string; explore: object | null }[] }>(
    siteId === null ? null : `/sites/${siteId}/data/saved`,
  );
  if (siteId === null || !answer) return [];
  return answer.dashboards.map(({ id, name, explore }) => ({
    value: savedAddress(siteId, id),
    text: name,
    aside: explore === null ? t("Saved dashboard") : t("Saved question"),
  }));
}

const translated = ({ value, text, aside }: Option): Option => ({ value, text: t(text), aside: aside && t(aside) });

/** @param query the search parameters that all reports share, as in their links */
function pagesOf(
  { siteId, label, role }: SiteLink,
  query: string,
  settings: SettingsRoles,
  saved: readonly Option[],
): Option[] {
  const home = `/sites/${siteId}`;
  return [
    { value: home + query, text: t("Dashboard"), aside: label },
    ...saved,
    ...Object.entries(REPORTS).map(([key, { name }]) => ({
      value: `${home}/reports/${key}${query}`,
      text: t(name),
      aside: t("Report"),
    })),
    ...settingsPagesOf(siteId, role, settings).map(({ href, label }) => ({
      value: href,
      text: t(label),
      aside: t("Settings"),
    })),
  ];
}
