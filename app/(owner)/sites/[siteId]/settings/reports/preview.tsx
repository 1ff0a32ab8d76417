"use client";

import { useEffect, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { t } from "@/lib/texts/translate";
import type { Cadence } from "./cadences";

interface Props {
  siteId: number;
  cadence: Cadence;
  onClose(): void;
}

interface Shown {
  subject: string;
  html: string;
}

/** Shows a report as it would be emailed. Its HTML is in a frame without scripts, links and origin. */
export function ReportPreview({ siteId, cadence, onClose }: Props) {
  const { perform, problems } = useAction("sites.reports.preview");
  const [shown, setShown] = useState<Shown>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the dialog opens
  useEffect(() => {
    perform({ site_id: siteId, cadence }).then((answer) => {
      if (!answer) return;
      const { subject, html, picture } = answer;
      setShown({ subject, html: html.replaceAll(`cid:${picture.cid}`, `data:image/png;base64,${picture.png}`) });
    });
  }, []);

  return (
    <Dialog title={t("Preview")} problems={problems} onCancel={onClose} wide light>
      <div className="space-y-3">
        <p className="min-h-5 text-sm font-medium break-words" role="status">
          {shown?.subject ?? (problems.message ? "" : t("Loading…"))}
        </p>
        <iframe
          title={t("The email")}
          sandbox=""
          srcDoc={shown?.html ?? ""}
          className="h-[60vh] w-full rounded-lg border border-line bg-sunken"
        />
        <div className="flex justify-end">
          <Button look="quiet" onClick={onClose}>
            {t("Close")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
