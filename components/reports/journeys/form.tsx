"use client";

import { type FormEvent, useState } from "react";
import { Suggested } from "@/components/reports/suggestions";
import { useGo } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { ReadyFields } from "@/components/ui/ready-fields";
import { Select } from "@/components/ui/select";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  start: string;
  funnel: string;
  /** Names of the saved funnels. */
  funnels: string[];
}

const EVENT = "event:";
const STARTS = [
  { value: "", label: msg("Start of the visit") },
  { value: "page", label: msg("Page") },
  { value: "event", label: msg("Event") },
];
type Kind = "page" | "event";

/** Form for the start of the paths, chosen from the site's pages and events, and a funnel to split by. */
export function JourneyForm({ siteId, start, funnel, funnels }: Props) {
  const go = useGo();
  const [kind, setKind] = useState<Kind | "">(start === "" ? "" : start.startsWith(EVENT) ? "event" : "page");
  const [value, setValue] = useState(start.startsWith(EVENT) ? start.slice(EVENT.length) : start);
  const known = [...new Set([...funnels, funnel])].filter(Boolean);

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = value.trim();
    go({ start: kind === "" || text === "" ? null : kind === "event" ? `${EVENT}${text}` : text });
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <ReadyFields>
        <div className="basis-44">
          <Select
            label={t("Start at")}
            choices={STARTS.map(({ value: start, label }) => ({ value: start, label: t(label) }))}
            value={kind}
            onChange={({ target }) => {
              const next = target.value as Kind | "";
              setKind(next);
              setValue("");
              if (next === "" && start !== "") go({ start: null });
            }}
          />
        </div>
        {kind !== "" && (
          <>
            <Suggested
              siteId={siteId}
              field={kind}
              aria-label={kind === "page" ? t("Page to start at") : t("Event to start at")}
              value={value}
              onChange={({ target }) => setValue(target.value)}
              placeholder={kind === "page" ? "/pricing" : t("Signup")}
              className="h-10 min-w-0 flex-1 basis-52 rounded-lg border border-line-strong bg-surface px-3 text-ink placeholder:text-muted"
            />
            <Button type="submit" look="quiet">
              {t("Show")}
            </Button>
          </>
        )}
        {known.length > 0 && (
          <div className="basis-52 sm:ml-auto">
            <Select
              label={t("Split by funnel")}
              choices={[{ value: "", label: t("No split") }, ...known.map((name) => ({ value: name, label: name }))]}
              value={funnel}
              onChange={({ target }) => go({ funnel: target.value || null })}
            />
          </div>
        )}
      </ReadyFields>
    </form>
  );
}
