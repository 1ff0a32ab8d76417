"use client";

import Link from "next/link";
import { useEffect, useRef } from "react";
import { t } from "@/lib/texts/translate";

interface Entry {
  /** Heading of its group, hidden on small screens. */
  group: string;
  href: string;
  label: string;
  current: boolean;
}

/** Navigation of the settings. On a phone it is one line, scrolled to the current page. */
export function SettingsNav({ entries }: { entries: Entry[] }) {
  const nav = useRef<HTMLElement>(null);
  const groups = [...new Set(entries.map(({ group }) => group))];

  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }, []);

  return (
    <nav
      ref={nav}
      aria-label={t("Settings")}
      className="-mx-2 mb-4 flex gap-1 overflow-x-auto px-2 md:mx-0 md:mb-0 md:block md:space-y-5 md:px-0"
    >
      {groups.map((group) => (
        <div key={group} className="flex gap-1 md:block md:space-y-0.5">
          <p className="px-3 pb-1 text-xs text-muted max-md:hidden">{t(group)}</p>
          {entries
            .filter((entry) => entry.group === group)
            .map(({ href, label, current }) => (
              <Link
                key={href}
                href={href}
                prefetch={false}
                aria-current={current ? "page" : undefined}
                className="block rounded-lg px-3 py-1.5 text-sm font-medium whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
              >
                {t(label)}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  );
}
