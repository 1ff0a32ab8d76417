/** Funnels as text: `/pricing > event:Signup > /thanks`. Without imports, because client components use it. */

const BETWEEN = " > ";

export const isFunnelText = (funnel: string): boolean => funnel.includes(BETWEEN);

export const parseSteps = (funnel: string): { kind: "page" | "event"; pattern: string }[] =>
  funnel.split(BETWEEN).map(parseStep);

/** Parses a step: a path pattern, or `event:<name>`. */
export const parseStep = (step: string): { kind: "page" | "event"; pattern: string } => {
  const [, event] = /^event:(.*)$/s.exec(step.trim()) ?? [];
  return event === undefined ? { kind: "page", pattern: step } : { kind: "event", pattern: event };
};

export const formatFunnel = (steps: readonly { kind: "page" | "event"; pattern: string }[]): string =>
  steps.map(({ kind, pattern }) => (kind === "event" ? `event:${pattern}` : pattern)).join(BETWEEN);
