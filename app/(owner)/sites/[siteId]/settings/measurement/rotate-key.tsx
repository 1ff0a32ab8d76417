import { useAction } from "@/components/actions/actions";
import { FormDialog } from "@/components/ui/form-dialog";
import { Select } from "@/components/ui/select";
import { msg, t } from "@/lib/texts/translate";
import type { Key } from "./keys";

const OVERLAPS = [
  { value: "0", label: msg("Immediately") },
  { value: "1", label: msg("In an hour") },
  { value: "24", label: msg("In a day") },
  { value: "168", label: msg("In a week") },
];

interface Props {
  siteId: number;
  of: Key;
  onRotated(key: string): void;
  onCancel(): void;
}

/** Dialog to rotate a key: asks how long the old key still works. */
export function RotateKey({ siteId, of, onRotated, onCancel }: Props) {
  const { perform, busy, problems } = useAction("sites.keys.rotate");

  async function submit(formData: FormData) {
    const hours = Number(formData.get("hours"));
    const made = await perform({ site_id: siteId, key_id: of.id, overlap_hours: hours });
    if (made) onRotated(made.key);
  }

  return (
    <FormDialog
      title={t("Rotate {name}?", { name: of.name })}
      about={
        <p>
          {t(
            "You get a new key with the same name and lifetime. Both work until the old one expires, so no events are lost.",
          )}
        </p>
      }
      problems={problems}
      action={t("Rotate")}
      busyAction={t("One moment…")}
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Select
        label={t("The old key expires")}
        name="hours"
        choices={OVERLAPS.map(({ value, label }) => ({ value, label: t(label) }))}
        defaultValue="24"
      />
    </FormDialog>
  );
}
