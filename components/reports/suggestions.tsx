"use client";

import { type ComponentProps, useId, useState } from "react";
import { useFetched } from "@/components/reports/use-fetched";

interface Props extends ComponentProps<"input"> {
  siteId: number;
  /** Whose values are offered: paths, or names of events. */
  field: "page" | "event";
  value: string;
  /** Offered before these. */
  known?: readonly string[];
}

interface Seen {
  field: string;
  options: { value: string }[];
}

/** Values of the last quarter of a year. */
const PERIOD = "90d";

/** A text field that offers what the site has seen, from its first focus on. Anything else may be typed. */
export function Suggested({ siteId, field, known = [], value, onFocus, ...input }: Props) {
  const id = useId();
  const [used, setUsed] = useState(false);
  // A pattern is no part of any path.
  const asks = used && !value.includes("*");
  const query = new URLSearchParams({ field, q: value.trim(), period: PERIOD });
  const { answer } = useFetched<Seen>(asks ? `/sites/${siteId}/options?${query}` : null);
  const seen = asks && answer?.field === field ? answer.options.map((option) => option.value) : [];
  return (
    <>
      <input
        {...input}
        value={value}
        list={id}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onFocus={(event) => {
          setUsed(true);
          onFocus?.(event);
        }}
      />
      <datalist id={id}>
        {[...new Set([...known, ...seen])].map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}
