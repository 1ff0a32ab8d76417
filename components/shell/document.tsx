import type { ReactNode } from "react";
import { EARLY_THEME } from "@/components/shell/early-theme";
import { ThemeKeeper } from "@/components/shell/theme-keeper";

/** The document around every page. */
export const Document = ({ children }: { children: ReactNode }) => (
  // The script sets attributes of <html> before React sees them.
  <html lang="en" suppressHydrationWarning>
    <body>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours */}
      <script dangerouslySetInnerHTML={{ __html: EARLY_THEME }} />
      <ThemeKeeper />
      {children}
    </body>
  </html>
);
