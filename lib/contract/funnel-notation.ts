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

/** Returns the step that the name of a goal writes; null for any other name. */
export const stepIn = (goal: string): ReturnType<typeof parseStep> | null =>
  /^(\/|event:)/.test(goal) ? parseStep(goal) : null;

export const formatStep = ({ kind, pattern }: { kind: "page" | "event"; pattern: string }): string =>
  kind === "event" ? `event:${pattern}` : pattern;

export const formatFunnel = (steps: readonly { kind: "page" | "event"; pattern: string }[]): string =>
  steps.map(formatStep).join(BETWEEN);
