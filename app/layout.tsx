import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { Document } from "@/components/shell/document";
import { t } from "@/lib/texts/translate";
import "./globals.css";

export const generateMetadata = (): Metadata => ({
  title: { default: "Footfall", template: "%s · Footfall" },
  description: t(
    "Privacy-first web analytics that agents can run: no cookies, exact numbers, and you approve risky changes.",
  ),
  referrer: "same-origin",
});

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#151b24" },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return <Document>{children}</Document>;
}
