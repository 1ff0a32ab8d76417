import { Badge, type Tone } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { msg, t } from "@/lib/texts/translate";

/** A part of the service, how it is, and in one sentence why. */
export interface Part {
  name: string;
  state: "ok" | "warn" | "bad";
  text: string;
}

const STATES: Record<Part["state"], [label: string, tone: Tone]> = {
  ok: [msg("Works"), "good"],
  warn: [msg("Look at this"), "warn"],
  bad: [msg("Does not work"), "bad"],
};

/** The health of each part. */
export const Parts = ({ parts }: { parts: readonly Part[] }) => {
  const faulty = parts.filter(({ state }) => state !== "ok").length;
  return (
    <Section
      title={t("Health")}
      about={
        faulty === 0
          ? t("Every part works.")
          : t("{count, plural, one {# of {all} parts needs you.} other {# of {all} parts need you.}}", {
              count: faulty,
              all: parts.length,
            })
      }
    >
      <ul className="-my-2 divide-y divide-line text-sm">
        {parts.map(({ name, state, text }) => (
          <li key={name} className="flex items-start justify-between gap-4 py-2">
            <p className="min-w-0">
              <span className="font-medium">{name}</span> <span className="text-muted">{text}</span>
            </p>
            <Badge tone={STATES[state][1]}>{t(STATES[state][0])}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  );
};
