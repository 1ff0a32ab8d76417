"use client";

import { useSwitch } from "@/components/actions/actions";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";

interface Props {
  siteId: number;
  /** Whether the reader gets letters. */
  mine: boolean;
  /** The addresses of the others who do. */
  others: string[];
}

/** Who is told of incidents by mail; each decides for themselves. */
export function Letters({ siteId, mine, others }: Props) {
  const switchProps = useSwitch("monitoring.letters", mine, (letters) => ({ site_id: siteId, letters }));
  return (
    <Section
      title="Letters"
      about="Owners are told by mail unless they do not want it. At most three incidents of one cause a day."
    >
      <div className="space-y-3">
        <Switch
          label="Tell me by mail"
          hint="When an incident begins, and when it is over if you may be waiting for that."
          {...switchProps}
        />
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {others.length === 0 ? "Nobody else is told." : `Also told: ${others.join(", ")}.`}
        </p>
      </div>
    </Section>
  );
}
