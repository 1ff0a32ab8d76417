import { ButtonLink } from "@/components/ui/button";
import { Steps } from "@/components/ui/steps";

const STEPS = [
  ["Add your site", "Only its domain and timezone are needed."],
  ["Paste one line", "A small script without cookies, so no banner is needed."],
  ["See the first visit", "It shows up within seconds."],
] as const;

/** Empty state of the site list, shown after sign-up. */
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
