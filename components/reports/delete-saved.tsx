"use client";

import type { ReactNode } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  siteId: number;
  kind: "segments" | "dashboards" | "goals" | "funnels" | "experiments" | "annotations";
  saved: { id: string | number; name: string };
  title?: string;
  /** What the deletion affects. */
  children: ReactNode;
  onDone(): void;
  onCancel(): void;
}

/** Confirmation before a saved object is deleted for the whole site. If others use it, the error names them. */
export default function DeleteSaved({ siteId, kind, saved, title, children, onDone, onCancel }: Props) {
  const { perform, busy, problems } = useAction(`sites.${kind}.delete`, { invalid_input: "id" });

  async function remove() {
    if (await perform({ site_id: siteId, id: saved.id } as ActionInput<`sites.${Props["kind"]}.delete`>)) onDone();
  }

  return (
    <Confirm
      title={title ?? `Delete ${saved.name}?`}
      action="Delete"
      busy={busy}
      problem={problems.fields.id ?? problems.message}
      onYes={remove}
      onNo={onCancel}
    >
      <p>{children}</p>
    </Confirm>
  );
}
