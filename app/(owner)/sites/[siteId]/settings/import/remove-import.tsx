"use client";

import { useRouter } from "next/navigation";
import { ConfirmAction } from "@/components/actions/confirm-action";
import type { ActionData } from "@/components/actions/typed";
import { t } from "@/lib/texts/translate";
import { serviceTitle } from "./source-names";

export type Import = ActionData<"sites.imports.list">["imports"][number];

interface Props {
  siteId: number;
  domain: string;
  imported: Import;
  onClose(): void;
}

/** Asks before all data of a service is removed. */
export function RemoveImport({ siteId, domain, imported, onClose }: Props) {
  const router = useRouter();
  return (
    <ConfirmAction
      operation="sites.imports.delete"
      input={{ site_id: siteId, source: imported.source }}
      title={t("Remove the data of {service}?", { service: serviceTitle(imported.source) })}
      action={t("Remove")}
      onDone={() => {
        onClose();
        router.refresh();
      }}
      onCancel={onClose}
    >
      {t(
        "The totals of {days, plural, one {# day} other {# days}} disappear from the reports of {domain}. Its own events stay. You can import the files again.",
        { days: imported.days, domain },
      )}
    </ConfirmAction>
  );
}
