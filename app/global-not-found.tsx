import type { Metadata } from "next";
import { connection } from "next/server";
import { Document } from "@/components/shell/document";
import { Header } from "@/components/shell/header";
import { NotFound } from "@/components/shell/not-found";
import "./globals.css";

export const metadata: Metadata = { title: "Not found · Footfall" };

/** For addresses that no page has. */
export default async function GlobalNotFound() {
  // Scripts of a prerendered page would have no nonce.
  await connection();
  return (
    <Document>
      <Header home="/" leaves />
      <main id="content">
        <NotFound />
      </main>
    </Document>
  );
}
