"use client";

import { Message } from "@/components/shell/message";
import { Button } from "@/components/ui/button";

/** Error page for unexpected errors. */
export const ServerError = ({ retry }: { retry: () => void }) => (
  <Message title="Something went wrong">
    <p>The error has been logged. Your data is not affected.</p>
    <Button onClick={retry}>Try again</Button>
  </Message>
);
