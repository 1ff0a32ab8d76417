import { Header } from "@/components/shell/header";
import { ButtonLink } from "@/components/ui/button";
import { Check } from "@/components/ui/icons";
import { currentOwner } from "@/lib/auth/session";
import { signupIsOpen } from "@/lib/auth/signup";
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

export default async function LandingPage() {
  const [owner, open] = await Promise.all([currentOwner(), signupIsOpen()]);
  return (
    <>
      <Header
        home="/"
        end={
          <>
            <ButtonLink href="/docs" look="bare" size="small">
              Docs
            </ButtonLink>
            <ButtonLink href={owner ? "/sites" : "/login"} look="bare" size="small">
              {owner ? "Your sites" : "Sign in"}
            </ButtonLink>
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
          <Invitation signedIn={owner !== null} open={open} />
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

function Invitation({ signedIn, open }: { signedIn: boolean; open: boolean }) {
  return (
    <div className="mt-8 flex flex-wrap gap-3">
      {!signedIn && open && (
        <ButtonLink href="/signup" size="large">
          Create an account
        </ButtonLink>
      )}
      {signedIn ? (
        <ButtonLink href="/sites" size="large">
          Open your sites
        </ButtonLink>
      ) : (
        <ButtonLink href="/login" size="large" look={open ? "quiet" : "primary"}>
          Sign in
        </ButtonLink>
      )}
    </div>
  );
}
