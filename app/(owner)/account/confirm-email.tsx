"use client";

import { useButtonAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { useSendsEmail } from "@/components/ui/mail-server";
import { t } from "@/lib/texts/translate";

/** Shown to accounts that were created before sign-up confirmed addresses. */
export function ConfirmEmail() {
  const { perform, busy } = useButtonAction("email.send_confirmation");
  const sendsEmail = useSendsEmail();
  const send = async () => void (await perform({}, send));

  return (
    <div className="mt-3 space-y-2 text-sm">
      <p className="text-muted">
        {t(
          "Not confirmed. Until it is, you cannot invite people, connect agents, get email reports or set up two-factor authentication.",
        )}
        {!sendsEmail &&
          ` ${t("This service has no mail server: ask its operator for the link of the email, which is in the folder outbox of DATA_DIR.")}`}
      </p>
      <Button size="small" look="quiet" disabled={busy} onClick={send}>
        {t("Send confirmation email")}
      </Button>
    </div>
  );
}
