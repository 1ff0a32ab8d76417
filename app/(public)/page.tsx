import { Header } from "@/components/shell/header";
import { buttonLook } from "@/components/ui/button";
import { Check } from "@/components/ui/icons";
import { Screenshot } from "./screenshot";

const PROMISES = [
  ["No cookies", "Nothing is stored on a visitor's device, and no banner has to ask for it."],
  [
    "Nobody is followed",
    "A visitor is recognised for one day, unless you choose otherwise. The secret that makes it possible is destroyed within 48 hours.",
  ],
  ["Numbers you can explain", "Every figure carries its definition. Bots are kept apart, not hidden."],
  [
    "Your server, your data",
    "One process on a machine of yours. It passes nothing on, and its pages load nothing from anyone else.",
  ],
] as const;

/** Prerendered: links into the app load a document, with its own policy. */
export default function LandingPage() {
  return (
    <>
      <Header
        home="/"
        leaves
        end={
          <>
            <a href="/docs" className={buttonLook({ look: "bare", size: "small" })}>
              Docs
            </a>
            <a href="/sites" className={buttonLook({ look: "bare", size: "small" })}>
              Your sites
            </a>
          </>
        }
      />
      <main id="content" className="mx-auto max-w-[72rem] px-4 sm:px-6">
        <div className="pt-12 pb-10 sm:pt-20 sm:pb-14">
          <h1 className="max-w-[46rem] text-4xl leading-[1.1] font-semibold tracking-tight sm:text-5xl">
            See who comes by, without following anyone
          </h1>
          <p className="mt-5 max-w-[34rem] text-lg text-muted">
            Footfall counts the visits of your sites: how many, from where, to which pages. One line to install, one
            page to read.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <a href="/signup" className={buttonLook({ size: "large" })}>
              Create an account
            </a>
            <a href="/login" className={buttonLook({ look: "quiet", size: "large" })}>
              Sign in
            </a>
          </div>
        </div>
        <Screenshot />
        <ul className="grid gap-x-8 gap-y-6 py-12 sm:grid-cols-2 lg:grid-cols-4">
          {PROMISES.map(([title, text]) => (
            <li key={title}>
              <h2 className="flex items-start gap-2 font-semibold">
                <Check className="mt-1 size-4 text-accent" />
                {title}
              </h2>
              <p className="mt-1 pl-6 text-sm text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </main>
    </>
  );
}
