import { useId } from "react";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { WEEKDAYS } from "@/lib/contract/vocabulary";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";
import { translated } from "./choices";

export type Schedule = Answer<"sites.reports.get">["schedule"];

const DAYS = WEEKDAYS.map((label, index) => ({ value: `${index + 1}`, label }));
const monthDays = () =>
  Array.from({ length: 28 }, (_, index) => ({ value: `${index + 1}`, label: t("Day {day}", { day: index + 1 }) }));
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: `${hour}`,
  label: `${hour}`.padStart(2, "0").concat(":00"),
}));

interface Props {
  schedule: Schedule;
  siteZone: string;
  zones: string[];
  problem?: string | undefined;
}

/** When reports are sent: day, hour and timezone. */
export function ScheduleFields({ schedule, siteZone, zones, problem }: Props) {
  const id = useId();
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select label={t("Weekly, on")} name="weekday" choices={translated(DAYS)} defaultValue={`${schedule.weekday}`} />
      <Select label={t("Monthly, on")} name="month_day" choices={monthDays()} defaultValue={`${schedule.month_day}`} />
      <Select label={t("At")} name="hour" choices={HOURS} defaultValue={`${schedule.hour}`} />
      <Field
        label={t("Timezone")}
        name="timezone"
        list={id}
        defaultValue={schedule.timezone ?? ""}
        placeholder={t("{zone} (the site’s)", { zone: siteZone })}
        autoComplete="off"
        problem={problem}
      />
      <datalist id={id}>
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

/** Reads the fields of a form. An empty timezone is that of the site. */
export const scheduleIn = (form: FormData) => ({
  weekday: Number(form.get("weekday")),
  month_day: Number(form.get("month_day")),
  hour: Number(form.get("hour")),
  timezone: String(form.get("timezone")).trim() || "site",
});
