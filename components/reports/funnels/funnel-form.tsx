"use client";

import { Plus } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, useId, useRef, useState } from "react";
import { useButtonAction } from "@/components/actions/actions";
import { DeleteSaved } from "@/components/reports/delete-saved";
import { FunnelStepField, type StepDraft } from "@/components/reports/funnels/funnel-step-field";
import { sharedQuery } from "@/components/reports/shared-query";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy";
import { Notice } from "@/components/ui/notice";
import { ReadyFields } from "@/components/ui/ready-fields";
import { formatFunnel } from "@/lib/contract/funnel-notation";
import { t } from "@/lib/texts/translate";

const SaveFunnelDialog = lazyDialog(() => import("@/components/reports/funnels/save-funnel-dialog"));

const FEWEST = 2;
const MOST = 10;
/** Maximum length of the search parameter `funnel`. */
const LONGEST = 191;

/** A stored step: its condition and an optional display name. */
export interface SavedStep {
  kind: "page" | "event";
  pattern: string;
  name?: string | undefined;
}

export interface SavedFunnel {
  id: string;
  name: string;
  steps: SavedStep[];
  windowMinutes: number;
}

interface Props {
  siteId: number;
  /** Whether the user can save funnels. */
  manages: boolean;
  /** The saved funnel that is shown or that the shown steps are based on. */
  saved: SavedFunnel | null;
  /** The shown steps; empty without a funnel. */
  shown: SavedStep[];
}

const EMPTY: SavedStep[] = [
  { kind: "page", pattern: "" },
  { kind: "page", pattern: "" },
];

/** Form to build a funnel, show it, and save it under a name. */
export function FunnelForm({ siteId, manages, saved, shown }: Props) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { drafts, steps, change, add, remove } = useSteps(shown.length > 0 ? shown : EMPTY);
  const [open, setOpen] = useState<"save" | "delete">();
  const [tooLong, setTooLong] = useState(false);
  const show = useShow(siteId);
  const { perform, busy } = useButtonAction("sites.funnels.delete");

  async function leave(funnel: string) {
    if (await perform({ site_id: siteId, id: funnel }, () => leave(funnel))) show(null);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const notation = formatFunnel(steps);
    if (saved && notation === formatFunnel(saved.steps)) return show(saved.id);
    setTooLong(notation.length > LONGEST);
    if (notation.length <= LONGEST) show(notation, saved?.id);
  }

  const button = { look: "quiet", size: "small" } as const;
  return (
    <>
      <form ref={form} onSubmit={submit} id="build" className="card scroll-mt-4 p-4" aria-labelledby={id}>
        <ReadyFields>
          <h2 id={id} className="text-[0.9375rem] font-semibold break-words">
            {saved && manages ? t("Edit {name}", { name: saved.name }) : t("Build a funnel")}
          </h2>
          <p className="text-sm text-muted">
            {saved
              ? t("Steps that visitors take in this order. In a path, * matches one part and ** any number of parts.")
              : t(
                  "Steps that visitors take in this order within a day. In a path, * matches one part and ** any number of parts.",
                )}
          </p>
          <ol className="mt-3 space-y-2">
            {drafts.map((step, index) => (
              <FunnelStepField
                key={step.id}
                siteId={siteId}
                step={step}
                number={index + 1}
                onChange={change}
                onRemove={drafts.length > FEWEST ? () => remove(step.id) : null}
              />
            ))}
          </ol>
          {tooLong && (
            <div className="mt-3">
              <Notice>
                {manages
                  ? t("These steps are too long for a URL. Save the funnel to see it.")
                  : t("These steps are too long for a URL.")}
              </Notice>
            </div>
          )}
          <div className="mt-3 flex flex-wrap gap-2 sm:pl-7">
            <Button type="submit" size="small">
              {t("Show funnel")}
            </Button>
            {drafts.length < MOST && (
              <Button {...button} onClick={add}>
                <Plus /> {t("Add step")}
              </Button>
            )}
            {manages && (
              <Button
                {...button}
                aria-haspopup="dialog"
                onClick={() => form.current?.reportValidity() && setOpen("save")}
              >
                {t("Save…")}
              </Button>
            )}
            {manages && saved && (
              <Button {...button} look="bare" aria-haspopup="dialog" disabled={busy} onClick={() => setOpen("delete")}>
                {t("Delete")}
              </Button>
            )}
          </div>
        </ReadyFields>
      </form>
      {open === "save" && (
        <SaveFunnelDialog
          siteId={siteId}
          saved={saved}
          steps={steps}
          onSaved={show}
          onCancel={() => setOpen(undefined)}
        />
      )}
      {open === "delete" && saved && (
        <DeleteSaved saved={saved} onDelete={() => leave(saved.id)} onClose={() => setOpen(undefined)}>
          {t("The definition of the funnel is deleted. No analytics data is deleted.")}
        </DeleteSaved>
      )}
    </>
  );
}

/** State of the edited steps, each with a unique id. */
function useSteps(first: SavedStep[]) {
  const [drafts, setDrafts] = useState<StepDraft[]>(() => first.map((step, index) => ({ ...step, id: index })));
  const next = Math.max(...drafts.map((one) => one.id)) + 1;
  return {
    drafts,
    steps: drafts.map(({ id: _, pattern, ...step }) => ({ ...step, pattern: pattern.trim() })),
    change: (step: StepDraft) => setDrafts(drafts.map((one) => (one.id === step.id ? step : one))),
    add: () => setDrafts([...drafts, { id: next, kind: "page", pattern: "" }]),
    remove: (id: number) => setDrafts(drafts.filter((one) => one.id !== id)),
  };
}

/** Returns a function that opens the report of a funnel, or of all funnels, in the current view. */
function useShow(siteId: number) {
  const query = useSearchParams();
  const router = useRouter();
  return (funnel: string | null, edits?: string) => {
    const next = new URLSearchParams(sharedQuery(query));
    if (funnel) next.set("funnel", funnel);
    if (edits) next.set("edits", edits);
    router.push(`/sites/${siteId}/reports/${funnel ? "funnel" : "funnels"}${next.size > 0 ? `?${next}` : ""}`);
    router.refresh();
  };
}
