import { msg } from "@/lib/texts/translate";
export type Cadence = "daily" | "weekly" | "monthly";

/** The reports, as choices. */
export const CADENCE_CHOICES: { value: Cadence; label: string; about: string }[] = [
  {
    value: "daily",
    label: msg("Daily"),
    about: msg("About the day before, compared with the same weekday a week earlier."),
  },
  {
    value: "weekly",
    label: msg("Weekly"),
    about: msg("About the seven days before, compared with the week before them."),
  },
  {
    value: "monthly",
    label: msg("Monthly"),
    about: msg("About the last calendar month, compared with the month before it."),
  },
];
