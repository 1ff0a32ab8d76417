"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, useId, useRef, useState } from "react";
import { useButtonAction } from "@/components/actions/actions";
import { carriedAlong } from "@/components/reports/pages/catalogue";
import { FunnelStepField, type StepDraft } from "@/components/reports/pages/funnel-step-field";
import { Button } from "@/components/ui/button";
import { Plus } from "@/components/ui/icons";
import { lateDialog } from "@/components/ui/late";
import { Notice } from "@/components/ui/notice";
import { writeFunnel } from "@/lib/contract/funnel-notation";

const SaveFunnelDialog = lateDialog(
  () => import("@/components/reports/pages/save-funnel-dialog"),
  ({ onCancel }) => onCancel(),
);

const DeleteSaved = lateDialog(
  () => import("@/components/reports/delete-saved"),
  ({ onCancel }) => onCancel(),
);

const FEWEST = 2;
const MOST = 10;
/** What the parameter `funnel` takes. */
const LONGEST = 191;

/** A step as it is stored: what reaches it, and what it is called where its pattern would not do. */
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
  /** Whether whoever looks may save it. */
  manages: boolean;
  /** The one that is shown, or from which what is shown was made. */
  saved: SavedFunnel | null;
  /** The steps that are shown; none for those of no funnel. */
  shown: SavedStep[];
}

const EMPTY: SavedStep[] = [
  { kind: "page", pattern: "" },
  { kind: "page", pattern: "" },
];

/** Puts a funnel together step by step, shows how far visitors get, and keeps it under a name. */
export function FunnelForm({ siteId, manages, saved, shown }: Props) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { drafts, steps, change, add, remove } = useSteps(shown.length > 0 ? shown : EMPTY);
  const [open, setOpen] = useState<"save" | "delete">();
  const [tooLong, setTooLong] = useState(false);
  const show = useShow(siteId);
  const { perform, busy } = useButtonAction("sites.funnels.delete");

  async function leave(funnel: string) {
    setOpen(undefined);
    if (await perform({ site_id: siteId, id: funnel }, () => leave(funnel))) show(null);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const written = writeFunnel(steps);
    if (saved && written === writeFunnel(saved.steps)) return show(saved.id);
    setTooLong(written.length > LONGEST);
    if (written.length <= LONGEST) show(written, saved?.id);
  }

  const button = { look: "quiet", size: "small" } as const;
  return (
    <>
      <form ref={form} onSubmit={submit} id="build" className="card scroll-mt-4 p-4" aria-labelledby={id}>
        <h2 id={id} className="text-[0.9375rem] font-semibold break-words">
          {saved && manages ? `Change ${saved.name}` : "Try a funnel"}
        </h2>
        <p className="text-sm text-muted">
          Steps that visitors take one after the other{saved ? "" : " within a day"}. In a path, * is any part of it and
          ** any parts.
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
            <Notice>These steps are too long for an address.{manages ? " Save the funnel to see it." : ""}</Notice>
          </div>
        )}
        <div className="mt-3 flex flex-wrap gap-2 sm:pl-7">
          <Button type="submit" size="small">
            Show the funnel
          </Button>
          {drafts.length < MOST && (
            <Button {...button} onClick={add}>
              <Plus /> Add a step
            </Button>
          )}
          {manages && (
            <Button
              {...button}
              aria-haspopup="dialog"
              onClick={() => form.current?.reportValidity() && setOpen("save")}
            >
              Save…
            </Button>
          )}
          {manages && saved && (
            <Button {...button} look="bare" aria-haspopup="dialog" disabled={busy} onClick={() => setOpen("delete")}>
              Delete
            </Button>
          )}
        </div>
      </form>
      {open === "save" && (
        <SaveFunnelDialog {...{ siteId, saved, steps }} onSaved={show} onCancel={() => setOpen(undefined)} />
      )}
      {open === "delete" && saved && (
        <DeleteSaved saved={saved} onYes={() => leave(saved.id)} onCancel={() => setOpen(undefined)}>
          Its steps have to be written down again to see it. No event is lost.
        </DeleteSaved>
      )}
    </>
  );
}

/** Steps while they are written down; each is told from the others by a number of its own. */
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

/** Goes to the report of a funnel, or to that of all, with the view that is looked at. */
function useShow(siteId: number) {
  const query = useSearchParams();
  const router = useRouter();
  return (funnel: string | null, edits?: string) => {
    const next = new URLSearchParams(carriedAlong(query));
    if (funnel) next.set("funnel", funnel);
    if (edits) next.set("edits", edits);
    router.push(`/sites/${siteId}/reports/${funnel ? "funnel" : "funnels"}${next.size > 0 ? `?${next}` : ""}`);
    router.refresh();
  };
}
