"use client";

import { OurFault } from "@/components/shell/our-fault";

export default function ErrorPage({ retry }: { retry: () => void }) {
  return (
    <main id="content">
      <OurFault retry={retry} />
    </main>
  );
}
