"use client";

import { unstable_rethrow, usePathname, useRouter } from "next/navigation";
import { Component, type ReactNode } from "react";
import { Failed } from "@/components/ui/failed";

interface Props {
  /** What could not be loaded, as the end of a sentence: "the chart". */
  what: string;
  className?: string;
  children: ReactNode;
}

/**
 * Error boundary around a part of a page: if rendering fails (server or browser), only that part shows an error. Next's
 * `catchError` brings its whole error page with it, 4 KB of script.
 */
export function Boundary({ what, className = "", children }: Props) {
  const router = useRouter();
  const failed = (reset: () => void) => {
    const retry = () => {
      router.refresh();
      reset();
    };
    return <Failed what={what} retry={retry} className={className} />;
  };
  return (
    <Caught pathname={usePathname()} failed={failed}>
      {children}
    </Caught>
  );
}

interface CaughtProps {
  /** The next page begins without the error of this one. */
  pathname: string;
  failed(reset: () => void): ReactNode;
  children: ReactNode;
}

interface CaughtState {
  hasFailed: boolean;
  /** The page that was rendered last. */
  pathname: string;
}

class Caught extends Component<CaughtProps, CaughtState> {
  override state: CaughtState = { hasFailed: false, pathname: this.props.pathname };

  static getDerivedStateFromError(error: unknown): Pick<CaughtState, "hasFailed"> {
    // Redirects and pages that are not found are errors too.
    unstable_rethrow(error);
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ pathname }: CaughtProps, state: CaughtState): CaughtState {
    return { hasFailed: state.hasFailed && pathname === state.pathname, pathname };
  }

  reset = () => this.setState({ hasFailed: false });

  override render() {
    return this.state.hasFailed ? this.props.failed(this.reset) : this.props.children;
  }
}
