export type Cadence = "daily" | "weekly" | "monthly";

/** The reports, as choices. */
export const CADENCES: { value: Cadence; label: string; about: string }[] = [
  { value: "daily", label: "Daily", about: "About the day before, compared with the same weekday a week earlier." },
  { value: "weekly", label: "Weekly", about: "About the seven days before, compared with the week before them." },
  { value: "monthly", label: "Monthly", about: "About the last calendar month, compared with the month before it." },
];
