"use client";

import type { ComponentProps } from "react";
import { Document } from "@/components/shell/document";
import { ServerError } from "@/components/shell/server-error";
import { t } from "@/lib/texts/translate";
import "./globals.css";

/** Error page for failures of the root layout. Renders a complete document. */
export default function GlobalError(props: ComponentProps<typeof ServerError>) {
  return (
    <Document>
      <title>{t("Something went wrong · Footfall")}</title>
      <main id="content">
        <ServerError {...props} />
      </main>
    </Document>
  );
}
