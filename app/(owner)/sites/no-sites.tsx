import { ButtonLink } from "@/components/ui/button";
import { Steps } from "@/components/ui/steps";

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
      <Steps steps={STEPS} className="card mt-6" />
      <ButtonLink href="/sites/new" size="large" className="mt-6 w-full sm:w-auto">
        Add a site
      </ButtonLink>
    </div>
  );
}
