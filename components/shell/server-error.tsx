"use client";

import { Message } from "@/components/shell/message";
import { Button } from "@/components/ui/button";

interface Props {
  /** `digest` is the id under which the server has logged the error; an error in the browser has none. */
  error: Error & { digest?: string };
  retry: () => void;
}

/** Error page for unexpected errors. */
export const ServerError = ({ error: { digest }, retry }: Props) => (
  <Message title="Something went wrong">
    {digest ? (
      <p>
        The error has been logged. Your data is not affected. If it happens again, tell the operator of this service its
        id: <code className="font-mono">{digest}</code>
      </p>
    ) : (
      <p>Your data is not affected.</p>
    )}
    <Button onClick={retry}>Try again</Button>
  </Message>
);
