"use client";

import { Button } from "@/components/ui/button";

export default function ErrorPage({ retry, reset }: { error: Error; retry?: () => void; reset: () => void }) {
  return (
    <main id="content" className="mx-auto max-w-md px-4 py-24 text-center">
      <h1 className="text-2xl font-semibold">Something went wrong here</h1>
      <p className="mt-2 mb-6 text-muted">It is our fault, and it has been noted. Nothing of yours is lost.</p>
      <Button onClick={retry ?? reset}>Try again</Button>
    </main>
  );
}
