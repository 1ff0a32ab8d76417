import { ButtonLink } from "@/components/ui/button";

const STEPS = [
  ["Name your site", "Its domain and its timezone. Nothing else is asked."],
  ["Paste one line", "A small script without cookies; your pages need no banner for it."],
  ["Watch it arrive", "The first visit shows up within seconds, and the page tells you."],
] as const;

/** What someone sees who has just made an account. */
export function NoSites() {
  return (
    <div className="mx-auto max-w-2xl py-8 sm:py-14">
      <h1 className="text-2xl font-semibold">Add your first site</h1>
      <p className="mt-1 text-muted">Two minutes from here to your first number.</p>
      <ol className="card mt-6 divide-y divide-line">
        {STEPS.map(([title, text], index) => (
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
      <ButtonLink href="/sites/new" size="large" className="mt-6 w-full sm:w-auto">
        Add a site
      </ButtonLink>
    </div>
  );
}
