import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Footer } from "@/components/shell/footer";
import { Header } from "@/components/shell/header";
import { buttonLook } from "@/components/ui/button";
import { rich } from "@/components/ui/rich";
import { Screenshot } from "@/components/ui/screenshot";
import { msg, t } from "@/lib/texts/translate";
import { ApprovalPicture } from "./approval-picture";
import { CardImage, cardOf } from "./card";

export const landingCard = () =>
  cardOf(
    { absolute: t("Footfall: privacy-first web analytics that agents can run") },
    t(
      "Visitors, goals and revenue without cookies, with exact numbers. Agents do the work, and you approve what is risky.",
    ),
  );

/** What is different here, in the order in which it matters. */
const DIFFERENCES = [
  [
    msg("Agents can run it"),
    msg(
      "Everything you can do has an API call. Give your agent one link, llms.txt, and it sets up goals, builds funnels and answers questions.",
    ),
  ],
  [
    msg("Visitors stay private"),
    msg(
      "No cookies, nothing stored on their devices, no IP addresses kept. By default, nobody is recognised from one day to the next.",
    ),
  ],
  [
    msg("You stay in control"),
    msg(
      "You choose each agent's sites and rights. Risky changes wait for your approval, and you can revoke access at any time.",
    ),
  ],
] as const;

const PRODUCT = [
  [
    msg("One page every morning"),
    msg("Visitors, sources, pages, goals and revenue at a glance, compared with any days you choose."),
  ],
  [
    msg("Every report you need"),
    msg("Funnels, journeys, retention, campaigns, commerce, experiments, web vitals and search."),
  ],
  [
    msg("Exact numbers"),
    msg("No sampling. Every figure shows its definition. Bots and AI crawlers are counted separately."),
  ],
  [
    msg("Your server, your data"),
    msg("One command starts it. No data goes to third parties, and pages load nothing from them."),
  ],
] as const;

const FOR_AGENTS = [
  [
    msg("Everything has an API"),
    msg("Agents can read every report and change every setting that you can, from one llms.txt."),
  ],
  [
    msg("You choose the sites and the permissions"),
    msg("Access is granted per site, described in plain words, and revoked immediately."),
  ],
  [
    msg("Risky changes need your approval"),
    msg("A new key, a new member or a deletion needs your approval of that exact request."),
  ],
  [msg("Retries are safe"), msg("Every write has an idempotency key, and every change is in the audit log.")],
] as const;

const CALLS = `# Your agent defines a goal
POST /api/v1/management/actions/sites.goals.save
{"site_id": 1, "name": "Signup",
 "reached_by": {"kind": "event", "pattern": "Signup"}}

200 OK

# It needs a key to send events
POST /api/v1/management/actions/sites.keys.create
{"site_id": 1, "name": "Shop"}

409 Conflict
{"error": {"code": "approval_required", "details":
  {"approval": {"binding_code": "KXQ-417", …}}}}

# You approve this request. The agent repeats it.
200 OK`;

interface Props {
  /** Whether to link to a demo. */
  hasDemo?: boolean;
}

/** The landing page. Links into the app load a new document, because app pages have a different content security policy. */
export function Landing({ hasDemo = false }: Props) {
  return (
    <>
      <CardImage />
      <Header
        home="/"
        leaves
        end={
          <>
            <a href="/docs" className={buttonLook({ look: "bare", size: "small" })}>
              {t("Docs")}
            </a>
            <a href="/sites" className={buttonLook({ look: "bare", size: "small" })}>
              {t("Sign in")}
            </a>
          </>
        }
      />
      <main id="content" className="mx-auto max-w-[72rem] px-4 sm:px-6">
        <div className="items-center gap-12 pt-12 pb-10 sm:pt-16 sm:pb-14 lg:grid lg:grid-cols-[minmax(0,1fr)_26rem]">
          <div>
            <h1 className="max-w-[46rem] text-4xl leading-[1.1] font-semibold tracking-tight sm:text-5xl">
              {t("Privacy-first web analytics that agents can run")}
            </h1>
            <p className="mt-5 max-w-[34rem] text-lg text-muted">
              {t(
                "Footfall counts visits, goals and revenue without cookies. Read it yourself on one page, or let your AI agent do the work: it can do everything you can, and asks you before anything risky.",
              )}
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <a href="/signup" className={buttonLook({ size: "large" })}>
                {t("Create an account")}
              </a>
              {hasDemo && (
                <a href="/demo" className={buttonLook({ look: "quiet", size: "large" })}>
                  {t("See a live demo")}
                </a>
              )}
              <a href="/docs/agents" className={buttonLook({ look: "quiet", size: "large" })}>
                {t("Connect an agent")}
              </a>
            </div>
            <p className="mt-5 text-sm text-muted">
              {rich(
                "Free software under the <licence>MIT licence</licence>. <data>What is stored of visitors</data>, field by field.",
                {
                  licence: (text) => <InlineLink href="/licence.txt">{text}</InlineLink>,
                  data: (text) => <InlineLink href="/docs/privacy">{text}</InlineLink>,
                },
              )}
            </p>
          </div>
          <ApprovalPicture />
        </div>
        <ul className="card mb-10 grid gap-px overflow-clip bg-line sm:mb-14 lg:grid-cols-3">
          {DIFFERENCES.map(([title, text]) => (
            <li key={title} className="bg-surface px-5 py-5">
              <h2 className="text-lg font-semibold">{t(title)}</h2>
              <p className="mt-1 text-muted">{t(text)}</p>
            </li>
          ))}
        </ul>
        <figure className="card overflow-hidden">
          {hasDemo ? (
            <a href="/demo" className="block" aria-label={t("See a live demo")}>
              <Screenshot preloads />
            </a>
          ) : (
            <Screenshot preloads />
          )}
        </figure>
        <Points points={PRODUCT} heading="h2" className="py-12 sm:grid-cols-2 lg:grid-cols-4" />
        <section aria-labelledby="agents" className="grid gap-8 border-t border-line py-12 lg:grid-cols-2 lg:gap-14">
          <div>
            <h2 id="agents" className="text-2xl font-semibold tracking-tight sm:text-3xl">
              {t("How an agent works with you")}
            </h2>
            <Points points={FOR_AGENTS} heading="h3" className="mt-6" />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
          <section className="card min-w-0 self-start overflow-x-auto" tabIndex={0} aria-label={t("An agent's calls")}>
            <pre className="p-4 text-[0.8125rem] leading-relaxed">
              <code>{CALLS}</code>
            </pre>
          </section>
        </section>
        <section className="border-t border-line py-12 sm:py-16">
          <h2 className="text-2xl font-semibold tracking-tight sm:text-3xl">{t("Start in two minutes")}</h2>
          <p className="mt-3 max-w-[34rem] text-muted">
            {t(
              "Create an account, add your site and paste one line into its pages. The install page turns green when the first event arrives.",
            )}
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <a href="/signup" className={buttonLook({ size: "large" })}>
              {t("Create an account")}
            </a>
            <a href="/docs" className={buttonLook({ look: "quiet", size: "large" })}>
              {t("Read the docs")}
            </a>
          </div>
        </section>
      </main>
      <Footer />
    </>
  );
}

const InlineLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} className="text-accent underline underline-offset-2">
    {children}
  </a>
);

interface PointsProps {
  points: readonly (readonly [string, string])[];
  heading: "h2" | "h3";
  className: string;
}

function Points({ points, heading: Heading, className }: PointsProps) {
  return (
    <ul className={`grid gap-x-8 gap-y-6 ${className}`}>
      {points.map(([title, text]) => (
        <li key={title}>
          <Heading className="flex items-start gap-2 font-semibold">
            <Check className="mt-1 size-4 shrink-0 text-accent" />
            {t(title)}
          </Heading>
          <p className="mt-1 pl-6 text-sm text-muted">{t(text)}</p>
        </li>
      ))}
    </ul>
  );
}
