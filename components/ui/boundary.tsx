"use client";

import { unstable_rethrow, usePathname, useRouter } from "next/navigation";
import { Component, type ReactNode, startTransition } from "react";
import { Failed } from "@/components/ui/failed";

/**
 * Error boundaries: if rendering fails (server or browser), only what is in one shows an error. Next's `catchError` brings its whole error
 * page with it, 4 KB of script, and each `error.tsx` brings what it shows once more.
 */

interface Props {
  /** What could not be loaded, as the end of a sentence: "the chart". */
  what: string;
  className?: string;
  children: ReactNode;
}

/** Around a part of a page. */
export const Boundary = ({ what, className = "", children }: Props) => (
  <Caught shown={(_, retry) => <Failed what={what} retry={retry} className={className} />}>{children}</Caught>
);

/** An error on the server has the id under which it was logged, in production. */
export type Thrown = { digest?: string };

interface CaughtProps {
  /** Returns what is shown in place of the children. */
  shown(error: Thrown, retry: () => void): ReactNode;
  children: ReactNode;
}

export function Caught({ shown, children }: CaughtProps) {
  const router = useRouter();
  const shownWith = (error: Thrown, reset: () => void) =>
    shown(error, () =>
      startTransition(() => {
        router.refresh();
        reset();
      }),
    );
  return (
    <Catching pathname={usePathname()} shown={shownWith}>
      {children}
    </Catching>
  );
}

interface CatchingProps extends CaughtProps {
  /** The next page begins without the error of this one. */
  pathname: string;
}

interface Catch {
  error: Thrown | null;
  /** The page that was rendered last. */
  pathname: string;
}

class Catching extends Component<CatchingProps, Catch> {
  override state: Catch = { error: null, pathname: this.props.pathname };

  static getDerivedStateFromError(error: Thrown | null | undefined): Pick<Catch, "error"> {
    // Redirects and pages that are not found are errors too.
    unstable_rethrow(error);
    return { error: error ?? {} };
  }

  static getDerivedStateFromProps({ pathname }: CatchingProps, { error, pathname: last }: Catch): Catch {
    return { error: pathname === last ? error : null, pathname };
  }

  reset = () => this.setState({ error: null });

  override render() {
    const { error } = this.state;
    return error ? this.props.shown(error, this.reset) : this.props.children;
  }
}
