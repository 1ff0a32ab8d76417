/** Funnels as text: `/pricing > event:Signup > /thanks`. It has no dependency, because pages use it too. */

const BETWEEN = " > ";

export const isFunnelText = (funnel: string): boolean => funnel.includes(BETWEEN);

export const parseSteps = (funnel: string): { kind: "page" | "event"; pattern: string }[] =>
  funnel.split(BETWEEN).map(parseStep);

/** A page by its path pattern, or an event as `event:<name>`. */
export const parseStep = (step: string): { kind: "page" | "event"; pattern: string } => {
  const [, event] = /^event:(.*)$/s.exec(step.trim()) ?? [];
  return event === undefined ? { kind: "page", pattern: step } : { kind: "event", pattern: event };
};

export const formatFunnel = (steps: readonly { kind: "page" | "event"; pattern: string }[]): string =>
  steps.map(({ kind, pattern }) => (kind === "event" ? `event:${pattern}` : pattern)).join(BETWEEN);
