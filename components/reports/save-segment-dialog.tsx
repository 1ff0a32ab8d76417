"use client";

import { useAction } from "@/components/actions/actions";
import { type Filter, sentOf } from "@/components/reports/filters";
import { SaveDialog } from "@/components/reports/save-dialog";
import { SentenceList } from "@/components/reports/sentence-list";
import { useGo } from "@/components/reports/view-frame";
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

  async function save({ name }: { name: string }) {
    const saved = await perform({ site_id: siteId, name, filters: sentOf(filters) ?? {} });
    if (!saved) return;
    onClose();
    go({ filters: null, segment: saved.id });
  }

  return (
    <SaveDialog
      saved={null}
      title={t("Save filters as a segment")}
      about={
        <>
          <p>{t("Everyone with access to the site can use it.")}</p>
          <SentenceList sentences={sentences} />
        </>
      }
      problems={problems}
      busy={busy}
      onSave={save}
      onCancel={onClose}
    />
  );
}
