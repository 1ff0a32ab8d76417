"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { RowButton } from "@/components/ui/row-button";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  domain: string;
  disabled: boolean;
}

/** Disables or enables a site, after a confirmation. Its owners are told by email. */
export function SiteActions({ siteId, domain, disabled }: Props) {
  const [isAsked, setAsked] = useState(false);
  const router = useRouter();
  const close = () => setAsked(false);
  return (
    <>
      <RowButton action={disabled ? t("Enable") : t("Disable")} name={domain} onClick={() => setAsked(true)} />
      {isAsked && (
        <ConfirmAction
          operation="admin.sites.set_disabled"
          input={{ site_id: siteId, disabled: !disabled }}
          title={disabled ? t("Enable {name}?", { name: domain }) : t("Disable {name}?", { name: domain })}
          action={disabled ? t("Enable") : t("Disable")}
          onDone={() => {
            close();
            router.refresh();
          }}
          onCancel={close}
        >
          <p>
            {disabled
              ? t("It takes events and shows its pages again. Events that were refused meanwhile are lost.")
              : t(
                  "It refuses events within ten seconds, and its pages, reports and shared links are closed. Its data stays, and its owners can export it.",
                )}
          </p>
        </ConfirmAction>
      )}
    </>
  );
}
