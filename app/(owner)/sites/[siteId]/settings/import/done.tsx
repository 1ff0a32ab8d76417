"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useButtonAction } from "@/components/actions/actions";
import type { ActionData } from "@/components/actions/typed";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { noteInWords } from "@/lib/contract/note-words";
import { t } from "@/lib/texts/translate";
import { type Import, RemoveImport } from "./remove-import";
import { serviceTitle } from "./source-names";

interface Props {
  siteId: number;
  domain: string;
  run: ActionData<"sites.imports.list">["runs"][number];
  /** What the site has of the service; undefined once it was removed. */
  imported: Import | undefined;
}

/** Says what was imported, and undoes it: with one click where nothing else is lost, else it asks first. */
export function Done({ siteId, domain, run, imported }: Props) {
  const undo = useButtonAction("sites.imports.delete");
  const [asks, setAsks] = useState(false);
  const [isUndone, setUndone] = useState(false);
  const router = useRouter();
  const { sums, source } = run;
  if (!sums || !source) return null;
  const days = t("{days, plural, one {# day} other {# days}} of {service} imported.", {
    days: sums.days,
    service: serviceTitle(source),
  });
  if (!run.removable) return <Notice tone="good">{[days, ...sums.notes.map(noteInWords)].join(" ")}</Notice>;
  if (isUndone) return <Notice tone="good">{t("The import was undone.")}</Notice>;
  if (!imported) return null;

  async function remove() {
    if (!(await undo.perform({ site_id: siteId, source: source as string }, () => void remove()))) return;
    setUndone(true);
    router.refresh();
  }

  const isAlone = sums.earlier_days === 0 && sums.replaced_days === 0 && imported.days === sums.days;
  return (
    <Notice tone="good">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>{days}</p>
        <Button look="quiet" size="small" disabled={undo.busy} onClick={isAlone ? remove : () => setAsks(true)}>
          {undo.busy ? t("One moment…") : t("Undo")}
        </Button>
      </div>
      {asks && <RemoveImport siteId={siteId} domain={domain} imported={imported} onClose={() => setAsks(false)} />}
    </Notice>
  );
}
