import { msg } from "@/lib/texts/translate";

/** What readers of a private link see with its revenue. */
export const REVENUE_HINT = msg(
  "Revenue, orders and average order in total and over time, and the revenue of each row. Without it, the dashboard shows no money.",
);
