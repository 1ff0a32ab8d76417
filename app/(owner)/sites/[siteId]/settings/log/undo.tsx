"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { ChangeLines } from "@/components/agents/change-lines";
import { RowButton } from "@/components/ui/row-button";
import type { ChangeLine } from "@/lib/contract/define";
import { t } from "@/lib/texts/translate";

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
      <RowButton action={isDeletion ? t("Restore") : t("Undo")} name={title} onClick={() => setAsked(true)} />
      {isAsked && (
        <ConfirmAction
          operation="audit.undo"
          input={{ site_id: siteId, entry_id: entryId }}
          title={isDeletion ? t("Save it again?") : t("Undo this change?")}
          action={isDeletion ? t("Restore") : t("Undo")}
          onDone={() => {
            close();
            router.refresh();
          }}
          onCancel={close}
        >
          {isDeletion ? (
            <p>{t("What was deleted is saved again as it was, with a new id.")}</p>
          ) : (
            <ChangeLines lines={lines.map(({ label, before, after }) => ({ label, before: after, after: before }))} />
          )}
        </ConfirmAction>
      )}
    </>
  );
}
