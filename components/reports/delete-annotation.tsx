"use client";

import { useAction } from "@/components/actions/actions";
import type { Annotation } from "@/components/reports/answers";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  siteId: number;
  annotation: Annotation;
  onDone(): void;
  onCancel(): void;
}

/** Confirmation before an annotation is deleted for all site members. */
export default function DeleteAnnotation({ siteId, annotation, onDone, onCancel }: Props) {
  const { perform, busy, problems } = useAction("sites.annotations.delete");

  async function remove() {
    if (await perform({ site_id: siteId, id: annotation.id })) onDone();
  }

  return (
    <Confirm
      title="Delete this annotation?"
      action="Delete"
      busy={busy}
      problem={problems.fields.id ?? problems.message}
      onYes={remove}
      onNo={onCancel}
    >
      <p className="break-words">{annotation.text}</p>
    </Confirm>
  );
}
