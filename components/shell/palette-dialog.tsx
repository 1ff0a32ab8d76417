"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { settingsOf } from "@/app/(owner)/sites/[siteId]/settings/pages";
import { carriedAlong, REPORTS } from "@/components/reports/pages/catalogue";
import type { PaletteSite } from "@/components/shell/command-palette";
import { Combobox } from "@/components/ui/combobox";
import type { Option } from "@/components/ui/combobox-list";
import { Dialog } from "@/components/ui/dialog";

interface Props {
  sites: PaletteSite[];
  /** The site that is looked at; NaN for none. */
  openId: number;
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
export default function PaletteDialog({ sites, openId, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const query = carriedAlong(useSearchParams());

  const open = sites.find(({ siteId }) => siteId === openId);
  const places = [
    ...(open ? placesOf(open, query) : []),
    ...sites
      .filter((site) => site !== open)
      .map(({ siteId, label }) => ({ value: `/sites/${siteId}`, text: label, aside: "Site" })),
    ...ELSEWHERE,
  ];
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = places.filter(({ text, aside = "" }) =>
    words.every((word) => `${text} ${aside}`.toLowerCase().includes(word)),
  );
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

/** @param query the days and the traffic that are looked at, with which reports are opened as from their links */
function placesOf({ siteId, label, role }: PaletteSite, query: string): Option[] {
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
