"use client";

import type { ReactNode } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  siteId: number;
  kind: "segments" | "dashboards" | "goals" | "funnels" | "experiments";
  saved: { id: string | number; name: string };
  /** What is lost by it, and what is not. */
  children: ReactNode;
  onDone(): void;
  onCancel(): void;
}

/** Asks before something saved is deleted for everybody of the site; when others need it, the refusal says who. */
export default function DeleteSaved({ siteId, kind, saved, children, onDone, onCancel }: Props) {
  const { perform, busy, problems } = useAction(`sites.${kind}.delete`, { invalid_input: "id" });

  async function remove() {
    if (await perform({ site_id: siteId, id: saved.id } as ActionInput<`sites.${Props["kind"]}.delete`>)) onDone();
  }

  return (
    <Confirm
      title={`Delete ${saved.name}?`}
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
