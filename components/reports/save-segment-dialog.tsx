"use client";

import { useAction } from "@/components/actions/actions";
import { type Filter, sentOf } from "@/components/reports/filters";
import { useGo } from "@/components/reports/view-frame";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  filters: Filter[];
  /** Display text of the filters. */
  sentences: string[];
  onClose(): void;
}

/** Dialog to save the filters as a segment; the view then uses the segment instead. */
export default function SaveSegmentDialog({ siteId, filters, sentences, onClose }: Props) {
  const { perform, busy, problems } = useAction("sites.segments.save", { fields: ["name"] });
  const go = useGo();

  async function submit(typed: FormData) {
    const saved = await perform({ site_id: siteId, name: String(typed.get("name")), filters: sentOf(filters) ?? {} });
    if (!saved) return;
    onClose();
    go({ filters: null, segment: saved.id });
  }

  return (
    <FormDialog
      title={t("Save filters as a segment")}
      about={
        <>
          <p>{t("Everyone with access to the site can use it.")}</p>
          <ul className="list-disc pl-5 break-words">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      }
      problems={problems}
      busy={busy}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field label={t("Name")} name="name" autoComplete="off" maxLength={191} problem={problems.fields.name} />
    </FormDialog>
  );
}
