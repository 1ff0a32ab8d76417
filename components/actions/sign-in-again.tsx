"use client";

import { FormDialog } from "@/components/ui/form-dialog";
import { t } from "@/lib/texts/translate";

interface Props {
  /** Whether the person has said that they signed in, and have not. */
  isStillSignedOut: boolean;
  onDone(): void;
  onCancel(): void;
}

/** Dialog for an ended session: the person signs in in another tab, and this page keeps what they typed. */
export default function SignInAgain({ isStillSignedOut, onDone, onCancel }: Props) {
  return (
    <FormDialog
      title={t("Sign in again")}
      about={t("Your session has ended. Sign in in a new tab, then continue here: nothing that you typed is lost.")}
      problems={{ fields: {}, ...(isStillSignedOut && { message: t("You are not signed in yet.") }) }}
      action={t("Continue")}
      busy={false}
      onSubmit={onDone}
      onCancel={onCancel}
    >
      <p className="text-sm">
        <a href="/login" target="_blank" rel="noopener" className="font-medium text-accent underline">
          {t("Sign in in a new tab")}
        </a>
      </p>
    </FormDialog>
  );
}
