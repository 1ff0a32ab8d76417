"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { t } from "@/lib/texts/translate";
import type { TagsOfSite } from "./tags";

interface Props extends TagsOfSite {
  onClose(): void;
}

/** Dialog that changes the reader's own tags of a site. */
export default function TagsDialog({ siteId, title, tags, known, onClose }: Props) {
  const { perform, busy, problems } = useAction("sites.tags.set", { fields: ["tags"] });
  const router = useRouter();
  const list = useId();
  const [typed, setTyped] = useState(tags.join(", "));
  const chosen = readTags(typed);

  async function save() {
    if (!(await perform({ site_id: siteId, tags: chosen }))) return;
    onClose();
    router.refresh();
  }

  const toggle = (tag: string) =>
    setTyped((chosen.includes(tag) ? chosen.filter((one) => one !== tag) : [...chosen, tag]).join(", "));

  return (
    <FormDialog
      title={t("Tags of {site}", { site: title })}
      about={t("Tags are your own: other members do not see them. Your agents do, and can filter by them.")}
      problems={problems}
      busy={busy}
      onSubmit={save}
      onCancel={onClose}
    >
      <Field
        label={t("Tags")}
        name="tags"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        hint={t("Separated by commas, such as: shops, acme")}
        problem={problems.fields.tags}
        autoFocus
      />
      {known.length > 0 && (
        <div>
          <p id={list} className="mb-1.5 text-sm text-muted">
            {t("Your tags")}
          </p>
          <ul aria-labelledby={list} className="flex max-h-40 flex-wrap gap-1.5 overflow-y-auto">
            {known.map((tag) => (
              <li key={tag}>
                <button
                  type="button"
                  aria-pressed={chosen.includes(tag)}
                  onClick={() => toggle(tag)}
                  className="rounded-full border border-line px-2.5 py-1 text-sm hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
                >
                  {tag}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}

const readTags = (typed: string): string[] => [
  ...new Set(
    typed
      .split(",")
      .map((tag) => tag.trim().toLowerCase())
      .filter(Boolean),
  ),
];
