"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { ChangeLines } from "@/components/agents/change-lines";
import { RowButton } from "@/components/ui/row-button";
import type { ChangeLine } from "@/lib/contract/define";

interface Props {
  siteId: number;
  entryId: string;
  title: string;
  /** What the entry changed; empty for a deletion, after which the object is saved again. */
  lines: readonly ChangeLine[];
}

/** Undoes an entry, once the reader has seen what that changes. */
export function Undo({ siteId, entryId, title, lines }: Props) {
  const [isAsked, setAsked] = useState(false);
  const router = useRouter();
  const isDeletion = lines.length === 0;
  const close = () => setAsked(false);
  return (
    <>
      <RowButton action={isDeletion ? "Restore" : "Undo"} name={title} onClick={() => setAsked(true)} />
      {isAsked && (
        <ConfirmAction
          operation="audit.undo"
          input={{ site_id: siteId, entry_id: entryId }}
          title={isDeletion ? "Save it again?" : "Undo this change?"}
          action={isDeletion ? "Restore" : "Undo"}
          onDone={() => {
            close();
            router.refresh();
          }}
          onCancel={close}
        >
          {isDeletion ? (
            <p>What was deleted is saved again as it was, with a new id.</p>
          ) : (
            <ChangeLines lines={lines.map(({ label, before, after }) => ({ label, before: after, after: before }))} />
          )}
        </ConfirmAction>
      )}
    </>
  );
}
