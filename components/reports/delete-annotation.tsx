"use client";

import type { Annotation } from "@/components/reports/answers";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  annotation: Annotation;
  onYes(): void;
  onCancel(): void;
}

/** Confirmation before an annotation is deleted for all site members. */
const DeleteAnnotation = ({ annotation, onYes, onCancel }: Props) => (
  <Confirm title="Delete this annotation?" action="Delete" busy={false} onYes={onYes} onNo={onCancel}>
    <p className="break-words">{annotation.text}</p>
  </Confirm>
);
export default DeleteAnnotation;
