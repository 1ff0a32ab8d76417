"use client";

import { Message } from "@/components/shell/message";
import { Button } from "@/components/ui/button";

/** For an error that nobody foresaw. */
export const OurFault = ({ retry }: { retry: () => void }) => (
  <Message title="Something went wrong here">
    <p>It is our fault, and it has been noted. Nothing of yours is lost.</p>
    <Button onClick={retry}>Try again</Button>
  </Message>
);
