import { useAction } from "@/components/actions/actions";
import { FormDialog } from "@/components/ui/form-dialog";
import { Select } from "@/components/ui/select";
import type { Key } from "./keys";

const OVERLAPS = [
  { value: "0", label: "Immediately" },
  { value: "1", label: "In an hour" },
  { value: "24", label: "In a day" },
  { value: "168", label: "In a week" },
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
      title={`Rotate ${of.name}?`}
      about={
        <p>
          You get a new key with the same name and lifetime. Both work until the old one expires, so no events are lost.
        </p>
      }
      problems={problems}
      action="Rotate"
      busyAction="One moment…"
      busy={busy}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Select label="The old key expires" name="hours" choices={OVERLAPS} defaultValue="24" />
    </FormDialog>
  );
}
