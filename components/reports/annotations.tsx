"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { Annotation, Chart } from "@/components/reports/answers";
import { useLatestChart } from "@/components/reports/live-numbers";
import { RowButton } from "@/components/reports/row-button";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatDate } from "@/components/ui/format";
import { lazyDialog } from "@/components/ui/lazy";
import { ANNOTATION_KINDS, type AnnotationKind } from "@/lib/contract/vocabulary";

const AnnotationDialog = lazyDialog(() => import("@/components/reports/annotation-dialog"));
const DeleteSaved = lazyDialog(() => import("@/components/reports/delete-saved"));

const TONES: Record<AnnotationKind, Tone> = { deploy: "accent", campaign: "good", incident: "bad", note: "plain" };
/** Number of annotations listed before "Show all". */
const FEW = 5;

/** The annotations of the chart's range. Managers can add, edit and delete them. */
export function Annotations({ siteId, first, manages }: { siteId: number; first: Chart; manages: boolean }) {
  const { annotations, meta } = useLatestChart(first);
  const [open, setOpen] = useState<{ annotation: Annotation | null } | { deleting: Annotation }>();
  const [all, setAll] = useState(false);
  const router = useRouter();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    router.refresh();
  };
  if (annotations.length === 0 && !manages) return null;
  const listed = all ? annotations : annotations.slice(-FEW);

  return (
    <section aria-label="Annotations" className="border-t border-line px-4 py-2 text-sm">
      {listed.length > 0 && (
        <ul className="divide-y divide-line">
          {listed.map((annotation) => (
            <li key={annotation.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
              <span className="w-24 shrink-0 text-muted tabular-nums">{formatDate(annotation.date)}</span>
              <Badge tone={TONES[annotation.kind]}>{ANNOTATION_KINDS[annotation.kind]}</Badge>
              <AnnotationText {...annotation} />
              {manages && (
                <span className="flex gap-2">
                  <RowButton action="Edit" name={annotation.text} onClick={() => setOpen({ annotation })} />
                  <RowButton action="Delete" name={annotation.text} onClick={() => setOpen({ deleting: annotation })} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="-mx-3 flex flex-wrap gap-2">
        {annotations.length > FEW && (
          <Button look="bare" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Show the latest ${FEW}` : `Show all ${annotations.length} annotations`}
          </Button>
        )}
        {manages && (
          <Button look="bare" size="small" aria-haspopup="dialog" onClick={() => setOpen({ annotation: null })}>
            Add annotation
          </Button>
        )}
      </div>
      {open && "annotation" in open && (
        <AnnotationDialog siteId={siteId} annotation={open.annotation} date={meta.to} onDone={done} onCancel={close} />
      )}
      {open && "deleting" in open && (
        <DeleteSaved
          siteId={siteId}
          kind="annotations"
          saved={{ id: open.deleting.id, name: open.deleting.text }}
          title="Delete this annotation?"
          onDone={done}
          onCancel={close}
        >
          <span className="break-words">{open.deleting.text}</span>
        </DeleteSaved>
      )}
    </section>
  );
}

function AnnotationText({ text, url }: Pick<Annotation, "text" | "url">) {
  const className = "min-w-0 flex-1 basis-40 break-words";
  if (!url) return <span className={className}>{text}</span>;
  return (
    <a href={url} target="_blank" rel="noreferrer nofollow" className={`${className} text-accent underline`}>
      {text}
    </a>
  );
}
