import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main id="content" className="mx-auto max-w-md px-4 py-24 text-center">
      <p className="text-sm font-medium text-muted tabular-nums">404</p>
      <h1 className="mt-1 text-2xl font-semibold">There is nothing here</h1>
      <p className="mt-2 mb-6 text-muted">The address is wrong, or it belongs to someone else.</p>
      <ButtonLink href="/sites">Your sites</ButtonLink>
    </main>
  );
}
