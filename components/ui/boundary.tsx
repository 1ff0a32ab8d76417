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

class Caught extends Component<CaughtProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(error: unknown): { hasFailed: boolean } {
    // Redirects and pages that are not found are errors too.
    unstable_rethrow(error);
    return { hasFailed: true };
  }

  override componentDidUpdate({ pathname }: CaughtProps) {
    if (this.state.hasFailed && pathname !== this.props.pathname) this.reset();
  }

  reset = () => this.setState({ hasFailed: false });

  override render() {
    return this.state.hasFailed ? this.props.failed(this.reset) : this.props.children;
  }
}
