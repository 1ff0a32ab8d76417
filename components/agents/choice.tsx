import { Button } from "@/components/ui/button";
import { t } from "@/lib/texts/translate";

interface Props {
  yes: string;
  busy: boolean;
  onNo(): void;
  onYes(): void;
}

/** Deny and approve buttons with equal weight; deny comes first. */
export const Choice = ({ yes, busy, onNo, onYes }: Props) => (
  <div className="grid grid-cols-2 gap-3">
    <Button look="quiet" size="large" className="border-line-strong" disabled={busy} onClick={onNo}>
      {t("Deny")}
    </Button>
    <Button look="quiet" size="large" className="border-line-strong" disabled={busy} onClick={onYes}>
      {yes}
    </Button>
  </div>
);
