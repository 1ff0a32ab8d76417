"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { carriedAlong, REPORTS } from "@/components/reports/pages/catalogue";
import { useFetched } from "@/components/reports/use-fetched";
import { type SiteLink, useOpenSite } from "@/components/shell/open-site";
import { settingsOf } from "@/components/shell/settings-pages";
import { Combobox } from "@/components/ui/combobox";
import type { Option } from "@/components/ui/combobox-list";
import { Dialog } from "@/components/ui/dialog";

interface Props {
  sites: SiteLink[];
  /** How many sites there are; those given are the first of them. */
  total: number;
  onClose(): void;
}

const ELSEWHERE: Option[] = [
  { value: "/sites", text: "All sites" },
  { value: "/sites/new", text: "Add a site" },
  { value: "/approvals", text: "Approvals" },
  { value: "/agents", text: "Agents" },
  { value: "/account", text: "Account" },
  { value: "/docs", text: "Docs" },
  { value: "/docs/api", text: "API reference", aside: "Docs" },
  { value: "/docs/metrics", text: "What the metrics mean", aside: "Docs" },
];

/** Of the site that is looked at first its reports and settings, then the other sites, then everything else. */
export default function PaletteDialog({ sites: first, total, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const query = carriedAlong(useSearchParams());

  const open = useOpenSite(first, total);
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ text, aside = "" }: Option) =>
    words.every((word) => `${text} ${aside}`.toLowerCase().includes(word));
  const isOther = ({ siteId }: SiteLink) => siteId !== open?.siteId;
  const known = first.filter(isOther).map(placeOf).filter(matches);
  const values = new Set(known.map(({ value }) => value));
  const searched = useSitesFound(typed).filter(isOther).map(placeOf);
  const found = [
    ...(open ? placesOf(open, query).filter(matches) : []),
    ...known,
    ...searched.filter(({ value }) => !values.has(value)),
    ...ELSEWHERE.filter(matches),
  ];

  function go([place]: Option[]) {
    if (!place) return;
    onClose();
    router.push(place.value);
  }
  return (
    <Dialog title="Go to" light first={input} problems={{ fields: {} }} onCancel={onClose}>
      <Combobox
        label="A site, a report or a setting"
        single
        inline
        free={false}
        chosen={[]}
        onChange={go}
        typed={typed}
        onType={setTyped}
        options={found}
        input={input}
        empty="Nothing is called that."
      />
    </Dialog>
  );
}

/** Sites with the words that were typed in their name or domains, also those beyond the first that every page knows. */
function useSitesFound(typed: string): SiteLink[] {
  const search = typed.trim();
  const address = search ? `/sites/find?${new URLSearchParams({ q: search })}` : null;
  const { answer, of } = useFetched<{ sites: SiteLink[] }>(address);
  return answer && of === address ? answer.sites : [];
}

const placeOf = ({ siteId, label }: SiteLink): Option => ({ value: `/sites/${siteId}`, text: label, aside: "Site" });

/** @param query the days and the traffic that are looked at, with which reports are opened as from their links */
function placesOf({ siteId, label, role }: SiteLink, query: string): Option[] {
  const home = `/sites/${siteId}`;
  return [
    { value: home + query, text: "Dashboard", aside: label },
    ...Object.entries(REPORTS).map(([key, text]) => ({
      value: `${home}/reports/${key}${query}`,
      text,
      aside: "Report",
    })),
    ...settingsOf(siteId, role).map(({ href, label }) => ({ value: href, text: label, aside: "Settings" })),
  ];
}
