import { Button } from "@/components/ui/button";

interface Props {
  /** Visible label. */
  action: string;
  /** Name of the row, for screen readers. */
  name: string;
  onClick(): void;
}

/** Action button in a row of a list. */
export const RowButton = ({ action, name, onClick }: Props) => (
  <Button look="quiet" size="small" aria-label={`${action} ${name}`} onClick={onClick}>
    {action}
  </Button>
);
