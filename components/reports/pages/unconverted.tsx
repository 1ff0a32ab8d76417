import { Notice } from "@/components/ui/notice";

/** Money that no number holds, because nobody knows what it was worth. */
export const Unconverted = ({ amounts }: { amounts: string[] }) =>
  amounts.length > 0 && (
    <Notice tone="warn">
      Not in these numbers, because no exchange rate of their day is known: {amounts.join(", ")}.
    </Notice>
  );
