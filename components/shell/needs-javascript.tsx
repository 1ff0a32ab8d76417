import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

/** Notice for pages with forms, which need JavaScript. The docs work without it. */
export const NeedsJavascript = () => (
  <noscript>
    <div className="mb-5">
      <Notice tone="warn">{t("This page needs JavaScript. Enable it in your browser and reload the page.")}</Notice>
    </div>
  </noscript>
);
