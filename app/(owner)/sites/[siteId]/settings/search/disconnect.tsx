"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Checkbox } from "@/components/ui/checkbox";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  provider: "google" | "bing";
  name: string;
  /** Without one, there are only numbers to delete. */
  hasConsent: boolean;
  onDone(): void;
}

/** Asks whether to end a connection, and what becomes of its numbers. */
export function DisconnectSearch({ siteId, provider, name, hasConsent, onDone }: Props) {
  const [deletes, setDeletes] = useState(false);
  const router = useRouter();
  return (
    <ConfirmAction
      operation="sites.search_engines.disconnect"
      input={{ site_id: siteId, provider, numbers: deletes || !hasConsent ? "delete" : "keep" }}
      title={
        hasConsent
          ? t("Disconnect {provider}?", { provider: name })
          : t("Delete the numbers of {provider}?", { provider: name })
      }
      action={hasConsent ? t("Disconnect") : t("Delete")}
      onDone={() => {
        onDone();
        router.refresh();
      }}
      onCancel={onDone}
    >
      {hasConsent ? (
        <span className="block space-y-2">
          <span className="block">{t(ENDS[provider])}</span>
          <Checkbox
            label={t("Also delete the numbers that were fetched")}
            checked={deletes}
            onChange={(event) => setDeletes(event.target.checked)}
          />
        </span>
      ) : (
        <p>{t("They disappear from reports. The provider may no longer have those of past days.")}</p>
      )}
    </ConfirmAction>
  );
}

const ENDS = {
  google: msg("No more numbers are fetched. The consent is deleted here, and revoked at Google."),
  bing: msg(
    "No more numbers are fetched. The consent is deleted here. Bing Webmaster Tools has a list of consents, where you take it back.",
  ),
} as const;
