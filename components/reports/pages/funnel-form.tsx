"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { carriedAlong } from "@/components/reports/pages/catalogue";
import { Button } from "@/components/ui/button";
import { Plus } from "@/components/ui/icons";
import { isWritten, writeFunnel, writtenSteps } from "@/lib/analytics/funnel-notation";

const FEWEST = 2;
const MOST = 10;
const NOTHING_WRITTEN = " > ";

interface Step {
  id: number;
  kind: "page" | "event";
  text: string;
}

/** The steps of a funnel that was written down; two empty ones for a saved one, or none. */
function stepsOf(funnel: string | null): Step[] {
  const written = writtenSteps(funnel && isWritten(funnel) ? funnel : NOTHING_WRITTEN);
  return written.map(({ kind, pattern }, id) => ({ id, kind, text: pattern.trim() }));
}

/** Writes a funnel down step by step, and shows how far visitors get. */
export function FunnelForm({ siteId }: { siteId: number }) {
  const query = useSearchParams();
  const router = useRouter();
  const id = useId();
  const [steps, setSteps] = useState(() => stepsOf(query.get("funnel")));
  const change = (step: Step) => setSteps(steps.map((one) => (one.id === step.id ? step : one)));
  const add = () => setSteps([...steps, { id: Math.max(...steps.map((step) => step.id)) + 1, kind: "page", text: "" }]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const next = new URLSearchParams(carriedAlong(query));
    next.set("funnel", writeFunnel(steps.map(({ kind, text }) => ({ kind, pattern: text.trim() }))));
    router.push(`/sites/${siteId}/reports/funnel?${next}`);
  }

  return (
    <form onSubmit={submit} className="card p-4" aria-labelledby={id}>
      <h2 id={id} className="text-[0.9375rem] font-semibold">
        Try a funnel
      </h2>
      <p className="text-sm text-muted">
        Steps that visitors take one after the other within a day. In a path, * is any part of it and ** any parts.
      </p>
      <ol className="mt-3 space-y-2">
        {steps.map((step, index) => (
          <StepField
            key={step.id}
            step={step}
            number={index + 1}
            onChange={change}
            onRemove={steps.length > FEWEST ? () => setSteps(steps.filter((one) => one.id !== step.id)) : null}
          />
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2 pl-7">
        <Button type="submit" size="small">
          Show the funnel
        </Button>
        {steps.length < MOST && (
          <Button look="quiet" size="small" onClick={add}>
            <Plus /> Add a step
          </Button>
        )}
      </div>
    </form>
  );
}

interface StepProps {
  step: Step;
  number: number;
  onChange(step: Step): void;
  /** null: there are as few as there may be. */
  onRemove: (() => void) | null;
}

function StepField({ step, number, onChange, onRemove }: StepProps) {
  const input = "h-9 rounded-lg border border-line-strong bg-surface px-2.5 text-sm";
  return (
    <li className="flex flex-wrap items-center gap-2">
      <span className="w-5 text-right text-sm text-muted tabular-nums">{number}</span>
      <select
        aria-label={`Step ${number} is a`}
        value={step.kind}
        onChange={({ target }) => onChange({ ...step, kind: target.value as Step["kind"] })}
        className={input}
      >
        <option value="page">Page</option>
        <option value="event">Event</option>
      </select>
      <input
        aria-label={`Step ${number}`}
        value={step.text}
        required
        onChange={({ target }) => onChange({ ...step, text: target.value })}
        placeholder={step.kind === "page" ? "/pricing" : "Signup"}
        className={`${input} min-w-0 flex-1 basis-40`}
      />
      {onRemove && (
        <Button look="bare" size="small" aria-label={`Remove step ${number}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </li>
  );
}
