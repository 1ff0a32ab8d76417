import { Button } from "@/components/ui/button";

interface Props {
  /** What it does. */
  action: string;
  /** With what: beside it this is plain to see, and is told to those who do not see it. */
  name: string;
  onClick(): void;
}

/** What can be done with something saved, on its row. */
export const RowButton = ({ action, name, onClick }: Props) => (
  <Button look="quiet" size="small" aria-label={`${action} ${name}`} onClick={onClick}>
    {action}
  </Button>
);
