"use client";

import type { ComponentProps } from "react";
import { ServerError } from "@/components/shell/server-error";

export default function ErrorPage(props: ComponentProps<typeof ServerError>) {
  return (
    <main id="content">
      <ServerError {...props} />
    </main>
  );
}
