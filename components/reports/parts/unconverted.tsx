import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

/** Warning about amounts that are excluded because their exchange rate is unknown. */
export const Unconverted = ({ amounts }: { amounts: string[] }) =>
  amounts.length > 0 && (
    <Notice tone="warn">
      {t("Not included, because no exchange rate is known for the day: {amounts}.", { amounts: amounts.join(", ") })}
    </Notice>
  );
