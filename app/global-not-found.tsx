import type { Metadata } from "next";
import { connection } from "next/server";
import { Document } from "@/components/shell/document";
import { Header } from "@/components/shell/header";
import { NotFound } from "@/components/shell/not-found";
import { PageLocale } from "@/components/ui/page-locale";
import { currentLocale } from "@/lib/platform/locale";
import { t } from "@/lib/texts/translate";
import "./globals.css";

export const generateMetadata = (): Metadata => ({ title: t("Not found · Footfall") });

/** 404 page for unknown paths. */
export default async function GlobalNotFound() {
  // Rendered per request, because scripts of a prerendered page have no nonce.
  await connection();
  return (
    <Document>
      <PageLocale locale={currentLocale()}>
        <Header home="/" leaves />
        <main id="content">
          <NotFound />
        </main>
      </PageLocale>
    </Document>
  );
}
