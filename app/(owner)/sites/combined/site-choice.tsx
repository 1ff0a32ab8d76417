"use client";

import { Globe } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { menuItem } from "@/components/ui/menu";
import { Popup } from "@/components/ui/popup";
import { t } from "@/lib/texts/translate";

interface Props {
  /** What is chosen, in a few words. */
  label: string;
  /** All sites, tags and teams. */
  groups: readonly { label: string; href: string; current: boolean }[];
  sites: readonly { siteId: number; name: string; chosen: boolean }[];
  /** The address for chosen sites, with `SITES` in place of their ids. */
  address: string;
}

/** Chooses what a combined report is of: everything, a tag, a team, or single sites. */
export const SiteChoice = (props: Props) => (
  <Popup name={t("Sites")} icon={<Globe className="size-4 text-muted" />} label={props.label} align="end">
    {(close) => <SiteChoices {...props} close={close} />}
  </Popup>
);

function SiteChoices({ groups, sites, address, close }: Props & { close(): void }) {
  const [chosen, setChosen] = useState(new Set(sites.filter((site) => site.chosen).map(({ siteId }) => siteId)));
  const router = useRouter();

  function toggle(siteId: number, isChosen: boolean) {
    const next = new Set(chosen);
    if (isChosen) next.add(siteId);
    else next.delete(siteId);
    setChosen(next);
  }

  function show(event: FormEvent) {
    event.preventDefault();
    close();
    router.push(address.replace("SITES", [...chosen].join(",")), { scroll: false });
  }

  return (
    <div className="w-72 max-w-[80vw]">
      {groups.map((group) => (
        <Link
          key={group.href}
          href={group.href}
          prefetch={false}
          scroll={false}
          onClick={close}
          aria-current={group.current ? "true" : undefined}
          className={menuItem}
        >
          <span className="truncate">{group.label}</span>
        </Link>
      ))}
      <form onSubmit={show} className="mt-1.5 border-t border-line px-2.5 pt-3 pb-1.5">
        <fieldset className="-mx-2.5 max-h-64 overflow-y-auto">
          <legend className="mb-1 px-2.5 text-sm font-medium">{t("These sites")}</legend>
          {sites.map(({ siteId, name }) => (
            <Checkbox
              key={siteId}
              checked={chosen.has(siteId)}
              onChange={({ target }) => toggle(siteId, target.checked)}
              label={name}
            />
          ))}
        </fieldset>
        <Button type="submit" size="small" look="quiet" disabled={chosen.size === 0} className="mt-3 w-full">
          {t("Show these sites")}
        </Button>
      </form>
    </div>
  );
}
