import type { FormEvent } from "react";
import { useAction } from "@/components/actions/actions";
import { Dialog } from "@/components/ui/dialog";
import { DialogActions } from "@/components/ui/dialog-actions";
import { Select } from "@/components/ui/select";
import type { Key } from "./keys";

const OVERLAPS = [
  { value: "0", label: "At once" },
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

/** Asks how long the old key shall work beside the new one. */
export function RotateKey({ siteId, of, onRotated, onCancel }: Props) {
  const { perform, busy, problems } = useAction("sites.keys.rotate");

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const hours = Number(new FormData(event.currentTarget).get("hours"));
    const made = await perform({ site_id: siteId, key_id: of.id, overlap_hours: hours });
    if (made) onRotated(made.key);
  }

  return (
    <Dialog
      title={`Rotate ${of.name}?`}
      about={
        <p>
          You get a new key of the same name and span of life. Until the old one ends both work, so that no event is
          lost.
        </p>
      }
      problems={problems}
      onCancel={onCancel}
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <Select label="The old key ends" name="hours" choices={OVERLAPS} defaultValue="24" />
        <DialogActions action="Rotate" meanwhile="One moment…" busy={busy} onCancel={onCancel} />
      </form>
    </Dialog>
  );
}
