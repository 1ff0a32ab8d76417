import { t } from "@/lib/texts/translate";

/** Returns the size of a change in the reader's language: its unit of percentage points is English. */
export const changeText = (size: string): string =>
  size.endsWith(POINTS) ? t("{points} pts", { points: size.slice(0, -POINTS.length) }) : size;

const POINTS = " pts";
