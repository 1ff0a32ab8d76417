"use client";

import { Message } from "@/components/shell/message";
import type { Thrown } from "@/components/ui/boundary";
import { Button } from "@/components/ui/button";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/texts/translate";

interface Props {
  /** An error in the browser has no `digest`. */
  error: Thrown;
  retry: () => void;
  /** Whether it is being tried again. */
  busy?: boolean;
}

/** Error page for unexpected errors. */
export const ServerError = ({ error: { digest }, retry, busy = false }: Props) => (
  <Message title={t("Something went wrong")}>
    {digest ? (
      <p>
        {rich(
          "The error has been logged. Your data is not affected. If it happens again, tell the operator of this service its id: {id}",
          { id: <code className="font-mono">{digest}</code> },
        )}
      </p>
    ) : (
      <p>{t("Your data is not affected.")}</p>
    )}
    <Button disabled={busy} onClick={retry}>
      {busy ? t("Loading…") : t("Try again")}
    </Button>
  </Message>
);
