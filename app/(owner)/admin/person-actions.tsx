"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { RowButton } from "@/components/ui/row-button";
import { t } from "@/lib/texts/translate";

interface Props {
  personId: number;
  email: string;
  administrator: boolean;
  disabled: boolean;
  /** Whether the account can be that of an administrator. */
  canAdminister: boolean;
  /** Whether they are the only administrator, whom the service needs. */
  isLast: boolean;
  isYou: boolean;
}

/** What an administrator does with an account. Each change is confirmed, and told to the person by email. */
export function PersonActions({ personId, email, administrator, disabled, canAdminister, isLast, isYou }: Props) {
  const [asked, setAsked] = useState<"disabled" | "administrator">();
  const router = useRouter();
  const close = () => setAsked(undefined);
  const done = () => {
    close();
    router.refresh();
  };

  return (
    <div className="flex flex-wrap gap-2">
      {(administrator ? !isLast : canAdminister) && (
        <RowButton
          action={administrator ? t("Remove as administrator") : t("Make administrator")}
          name={email}
          onClick={() => setAsked("administrator")}
        />
      )}
      {!isYou && (
        <RowButton action={disabled ? t("Enable") : t("Disable")} name={email} onClick={() => setAsked("disabled")} />
      )}
      {asked === "disabled" && (
        <ConfirmAction
          operation="admin.people.set_disabled"
          input={{ person_id: personId, disabled: !disabled }}
          title={disabled ? t("Enable {name}?", { name: email }) : t("Disable {name}?", { name: email })}
          action={disabled ? t("Enable") : t("Disable")}
          onDone={done}
          onCancel={close}
        >
          <p>
            {disabled
              ? t("They can sign in again, and their agents, tokens and ingest keys work again.")
              : t(
                  "They are signed out and cannot sign in. Their agents, tokens and ingest keys stop working. Their sites stay, and nothing is deleted.",
                )}
          </p>
        </ConfirmAction>
      )}
      {asked === "administrator" && (
        <ConfirmAction
          operation="admin.people.set_administrator"
          input={{ person_id: personId, administrator: !administrator }}
          title={
            administrator
              ? t("Remove {email} as administrator?", { email })
              : t("Make {email} an administrator?", { email })
          }
          action={administrator ? t("Remove") : t("Make administrator")}
          onDone={done}
          onCancel={close}
        >
          <p>
            {!administrator
              ? t(
                  "They see this page, and can disable accounts and sites and name or remove administrators, you too. They do not see analytics data of other people's sites.",
                )
              : isYou
                ? t("You lose access to this page. Your account and sites stay.")
                : t("They lose access to this page. Their account and sites stay.")}
          </p>
        </ConfirmAction>
      )}
    </div>
  );
}
