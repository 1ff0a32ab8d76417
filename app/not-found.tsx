import type { Metadata } from "next";
import { NothingHere } from "@/components/shell/nothing-here";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main id="content">
      <NothingHere />
    </main>
  );
}
