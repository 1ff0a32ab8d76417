"use client";

import { useAction } from "@/components/actions/actions";
import type { ActionData } from "@/components/actions/typed";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import { rich } from "@/components/ui/rich";
import { Select } from "@/components/ui/select";
import { COLUMN_MEANINGS, type ColumnMeaning } from "@/lib/contract/import-columns";
import { t } from "@/lib/texts/translate";

type Run = ActionData<"sites.imports.list">["runs"][number];

interface Props {
  siteId: number;
  run: Run;
  onChecked(run: Run): void;
  onOthers(): void;
}

const MEANINGS = Object.entries(COLUMN_MEANINGS).map(([value, label]) => ({ value, label }));
const isMeaning = (text: string): text is ColumnMeaning => Object.hasOwn(COLUMN_MEANINGS, text);

/** Asks what columns mean whose names are unknown, such as in a language that is not known here. */
export function Questions({ siteId, run, onChecked, onOthers }: Props) {
  const { perform, busy, problems } = useAction("sites.imports.create");

  async function submit(formData: FormData) {
    const columns = run.questions.map(({ file, column }, index) => {
      const meaning = String(formData.get(`meaning-${index}`));
      return { file, column, meaning: isMeaning(meaning) ? meaning : "ignored" } as const;
    });
    const checked = await perform({ site_id: siteId, files: run.file_ids, columns });
    if (checked) onChecked(checked);
  }

  return (
    <Form problem={problems.message} onSubmit={submit}>
      <p className="text-sm">
        {rich(
          "<b>Some columns have names that are unknown here.</b> Choose what they mean, then the files are checked again.",
          { b: (text) => <span className="font-medium">{text}</span> },
        )}
      </p>
      <ul className="space-y-4">
        {run.questions.map(({ file, column, examples, suggestion }, index) => (
          <li key={`${file}/${column}`} className="grid items-end gap-x-4 gap-y-2 sm:grid-cols-2">
            <div className="min-w-0 text-sm [overflow-wrap:anywhere]">
              <p className="font-medium">{column || t("A column without a name")}</p>
              <p className="text-muted">
                {file}
                {examples.length > 0 && `: ${examples.join(", ")} …`}
              </p>
            </div>
            <Select
              quiet
              label={t("Meaning of {column} in {file}", { column, file })}
              name={`meaning-${index}`}
              choices={MEANINGS.map(({ value, label }) => ({ value, label: t(label) }))}
              defaultValue={suggestion ?? "ignored"}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={busy}>
          {busy ? t("Checking…") : t("Check again")}
        </Button>
        <Button type="button" look="quiet" onClick={onOthers}>
          {t("Choose other files")}
        </Button>
      </div>
    </Form>
  );
}
