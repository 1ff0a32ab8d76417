import { Notice } from "@/components/ui/notice";

/** Warning about amounts that are excluded because their exchange rate is unknown. */
export const Unconverted = ({ amounts }: { amounts: string[] }) =>
  amounts.length > 0 && (
    <Notice tone="warn">Not included, because no exchange rate is known for the day: {amounts.join(", ")}.</Notice>
  );
