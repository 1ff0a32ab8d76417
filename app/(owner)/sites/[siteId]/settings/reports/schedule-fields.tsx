import { useId } from "react";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Answer } from "@/lib/operations/index";

export type Schedule = Answer<"sites.reports.get">["schedule"];

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].map((label, index) => ({
  value: `${index + 1}`,
  label,
}));
const MONTH_DAYS = Array.from({ length: 28 }, (_, index) => ({ value: `${index + 1}`, label: `Day ${index + 1}` }));
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
      <Select label="Weekly, on" name="weekday" choices={WEEKDAYS} defaultValue={`${schedule.weekday}`} />
      <Select label="Monthly, on" name="month_day" choices={MONTH_DAYS} defaultValue={`${schedule.month_day}`} />
      <Select label="At" name="hour" choices={HOURS} defaultValue={`${schedule.hour}`} />
      <Field
        label="Timezone"
        name="timezone"
        list={id}
        defaultValue={schedule.timezone ?? ""}
        placeholder={`${siteZone} (the site’s)`}
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
