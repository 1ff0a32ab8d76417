"use client";

import { Message } from "@/components/shell/message";
import { Button } from "@/components/ui/button";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/texts/translate";

interface Props {
  /** `digest` is the id under which the server has logged the error; an error in the browser has none. */
  error: { digest?: string };
  retry: () => void;
}

/** Error page for unexpected errors. */
export const ServerError = ({ error: { digest }, retry }: Props) => (
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
    <Button onClick={retry}>{t("Try again")}</Button>
  </Message>
);
