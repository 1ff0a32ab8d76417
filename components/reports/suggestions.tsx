"use client";

import { type ComponentProps, useId, useState } from "react";
import { useFetched } from "@/components/reports/use-fetched";
import { legiblePath } from "@/lib/platform/legible";

interface Props extends ComponentProps<"input"> {
  siteId: number;
  /** The key of the filter whose values are suggested, such as page. */
  field: string;
  value: string;
  /** Suggestions to list first. */
  known?: readonly string[];
}

interface Seen {
  field: string;
  options: { value: string }[];
}

/** Suggest values of the last 90 days. */
const PERIOD = "90d";

/** A text field with suggestions from the site's data, loaded on first focus. Any other text is allowed. */
export function Suggested({ siteId, field, known = [], value, onFocus, ...input }: Props) {
  const id = useId();
  const [used, setUsed] = useState(false);
  // A pattern with * matches no path literally.
  const isActive = used && !value.includes("*");
  const query = new URLSearchParams({ field, q: value.trim(), period: PERIOD });
  const { answer } = useFetched<Seen>(isActive ? `/sites/${siteId}/data/options?${query}` : null);
  const seen =
    isActive && answer?.field === field
      ? answer.options.map(({ value: one }) => (field === "page" ? legiblePath(one) : one))
      : [];
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
