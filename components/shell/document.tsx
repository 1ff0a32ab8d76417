import type { ReactNode } from "react";
import { EARLY_THEME } from "@/components/shell/early-theme";
import { ThemeSync } from "@/components/shell/theme-sync";
import { currentLanguage } from "@/lib/texts/translate";

/** The `<html>` document around every page. */
export const Document = ({ children }: { children: ReactNode }) => (
  // The script sets attributes of <html> before hydration.
  <html lang={currentLanguage()} suppressHydrationWarning>
    <body>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant string */}
      <script dangerouslySetInnerHTML={{ __html: EARLY_THEME }} />
      <ThemeSync />
      {children}
    </body>
  </html>
);
