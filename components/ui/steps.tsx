/** Numbered steps with a description each, for an empty page. */
export const Steps = ({
  steps,
  className = "",
}: {
  steps: readonly (readonly [string, string])[];
  className?: string;
}) => (
  <ol className={`divide-y divide-line ${className}`}>
    {steps.map(([title, text], index) => (
      <li key={title} className="flex gap-4 p-4">
        <span className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent">
          {index + 1}
        </span>
        <div>
          <p className="font-medium">{title}</p>
          <p className="text-sm text-muted">{text}</p>
        </div>
      </li>
    ))}
  </ol>
);
