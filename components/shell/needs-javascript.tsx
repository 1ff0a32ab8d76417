import { Notice } from "@/components/ui/notice";

/** For pages with forms, which do nothing without our scripts. The docs do without. */
export const NeedsJavascript = () => (
  <noscript>
    <div className="mb-5">
      <Notice tone="warn">This page needs JavaScript. Switch it on in your browser and load the page again.</Notice>
    </div>
  </noscript>
);
