"use client";

import { ServerError } from "@/components/shell/server-error";

export default function ErrorPage({ retry }: { retry: () => void }) {
  return (
    <main id="content">
      <ServerError retry={retry} />
    </main>
  );
}
