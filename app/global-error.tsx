"use client";

import { Document } from "@/components/shell/document";
import { OurFault } from "@/components/shell/our-fault";
import "./globals.css";

/** Where the document around every page itself fails. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <Document>
      <title>Something went wrong · Footfall</title>
      <main id="content">
        <OurFault retry={retry} />
      </main>
    </Document>
  );
}
