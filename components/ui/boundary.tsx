"use client";

import { unstable_rethrow, usePathname } from "next/navigation";
import { Component, type ReactNode } from "react";
import { Failed } from "@/components/ui/failed";

// If rendering fails (server or browser), only what is in a boundary shows an error. Next's `catchError` brings its whole error page with it,
// 4 KB of script, and each `error.tsx` brings what it shows once more.

interface Props {
  /** What could not be loaded, as the end of a sentence: "the chart". */
  what: string;
  className?: string;
  children: ReactNode;
}

/** Error boundary around a part of a page. */
export const Boundary = ({ what, className = "", children }: Props) => (
  <ErrorBoundary shown={(_, reset) => <Failed what={what} done={reset} className={className} />}>
    {children}
  </ErrorBoundary>
);

/** An error of the server has the id under which it was logged. */
export interface Thrown {
  digest?: string;
}

interface BoundaryProps {
  /** Returns what is shown in place of the children; `reset` shows them again, and what failed in them fails again unless it was refreshed. */
  shown(error: Thrown, reset: () => void): ReactNode;
  children: ReactNode;
}

/** Error boundary that shows anything. */
export const ErrorBoundary = (props: BoundaryProps) => <Catcher pathname={usePathname()} {...props} />;

interface CatcherProps extends BoundaryProps {
  /** The next page begins without the error of this one. */
  pathname: string;
}

interface CatcherState {
  error: Thrown | null;
  /** The page that was rendered last. */
  pathname: string;
}

class Catcher extends Component<CatcherProps, CatcherState> {
  override state: CatcherState = { error: null, pathname: this.props.pathname };

  static getDerivedStateFromError(error: Thrown | null | undefined): Pick<CatcherState, "error"> {
    // Redirects and pages that are not found are errors too.
    unstable_rethrow(error);
    return { error: error ?? {} };
  }

  static getDerivedStateFromProps({ pathname }: CatcherProps, { error, pathname: last }: CatcherState): CatcherState {
    return { error: pathname === last ? error : null, pathname };
  }

  reset = () => this.setState({ error: null });

  override render() {
    const { error } = this.state;
    return error ? this.props.shown(error, this.reset) : this.props.children;
  }
}
