"use client";

import { useState } from "react";
import { useSavedList } from "@/components/actions/saved-list";
import type { AnnotationDraft } from "@/components/reports/annotation-dialog";
import type { Annotation, Chart } from "@/components/reports/answers";
import { DeleteSaved } from "@/components/reports/delete-saved";
import { useLatestChart } from "@/components/reports/live-numbers";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatDate } from "@/components/ui/format";
import { lazyDialog } from "@/components/ui/lazy";
import { RowButton } from "@/components/ui/row-button";
import { ANNOTATION_KINDS, type AnnotationKind } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

const AnnotationDialog = lazyDialog(() => import("@/components/reports/annotation-dialog"));

const TONES: Record<AnnotationKind, Tone> = { deploy: "accent", campaign: "good", incident: "bad", note: "plain" };
/** Number of annotations listed before "Show all". */
const FEW = 5;

/** Returns an unsaved annotation of a day. */
export const newAnnotation = (date: string): AnnotationDraft => ({
  id: null,
  date,
  kind: "note",
  text: "",
  url: "",
  time: null,
});

/** Returns an annotation in the form of the dialog. */
const draftOf = ({ id, date, kind, text, url, all_day, at }: Annotation): AnnotationDraft => ({
  id,
  date,
  kind,
  text,
  url: url ?? "",
  time: all_day ? null : at,
});

/** The annotations that are shown, with pending changes, and the dialog that edits them. */
export const useAnnotations = (siteId: number, annotations: readonly Annotation[]) =>
  useSavedList({
    siteId,
    kind: "annotations",
    rows: annotations,
    fields: ["date", "text", "url"],
    inputOf: ({ id, date, kind, text, url, time }: AnnotationDraft) => ({
      site_id: siteId,
      id,
      kind,
      text,
      url,
      ...(time ? { time } : { date }),
    }),
  });

interface Props {
  siteId: number;
  first: Chart;
  manages: boolean;
}

/** The annotations of the chart's range. Managers can add, edit and delete them. */
export function Annotations({ siteId, first, manages }: Props) {
  const { annotations, meta } = useLatestChart(first);
  const { shown, editing, open, remove } = useAnnotations(siteId, annotations);
  const [deleting, setDeleting] = useState<Annotation>();
  const [all, setAll] = useState(false);
  if (shown.length === 0 && !manages) return null;
  const listed = all ? shown : shown.slice(-FEW);

  return (
    <section aria-label={t("Annotations")} className="border-t border-line px-4 py-2 text-sm">
      {listed.length > 0 && (
        <ul className="divide-y divide-line">
          {listed.map((annotation) => (
            <li key={annotation.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
              <span className="w-24 shrink-0 text-muted tabular-nums">{formatDate(annotation.date)}</span>
              <Badge tone={TONES[annotation.kind]}>{t(ANNOTATION_KINDS[annotation.kind])}</Badge>
              <AnnotationText {...annotation} />
              {manages && (
                <span className="flex gap-2">
                  <RowButton action={t("Edit")} name={annotation.text} onClick={() => open(draftOf(annotation))} />
                  <RowButton action={t("Delete")} name={annotation.text} onClick={() => setDeleting(annotation)} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="-mx-3 flex flex-wrap gap-2">
        {shown.length > FEW && (
          <Button look="bare" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all
              ? t("Show the latest {count}", { count: FEW })
              : t("Show all {count} annotations", { count: shown.length })}
          </Button>
        )}
        {manages && (
          <Button look="bare" size="small" aria-haspopup="dialog" onClick={() => open(newAnnotation(meta.to))}>
            {t("Add annotation")}
          </Button>
        )}
      </div>
      {editing && <AnnotationDialog {...editing} />}
      {deleting && (
        <DeleteSaved
          saved={{ name: t("this annotation") }}
          onDelete={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        >
          {deleting.text}
        </DeleteSaved>
      )}
    </section>
  );
}

function AnnotationText({ text, url }: Pick<Annotation, "text" | "url">) {
  const className = "min-w-0 flex-1 basis-40 break-words";
  // The server has not looked at what is just being saved.
  if (!url || !/^https?:\/\//i.test(url)) return <span className={className}>{text}</span>;
  return (
    <a href={url} target="_blank" rel="noreferrer nofollow" className={`${className} text-accent underline`}>
      {text}
    </a>
  );
}
