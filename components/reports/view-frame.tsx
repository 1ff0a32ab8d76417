"use client";

import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { type ComponentProps, createContext, type ReactNode, useContext, useTransition } from "react";
import { filtersOfQuery } from "@/components/reports/filters";
import { useReportPath } from "@/components/reports/report-path";
import { useToast } from "@/components/ui/toaster";
import { t } from "@/lib/texts/translate";

/** Changes to the search parameters of a view; null removes a parameter. */
export type Patch = Record<string, string | null>;

interface Navigation {
  waiting: boolean;
  /** The dimensions that views can be filtered by; undefined for all. */
  filterable?: readonly string[] | undefined;
  go(href: string): void;
}

const Frame = createContext<Navigation>({ waiting: false, go: () => {} });

interface FrameProps extends Pick<Navigation, "filterable"> {
  children: ReactNode;
}

/** Provides navigation between views. While another view loads, everything in `Waiting` is dimmed. */
export function ViewFrame({ filterable, children }: FrameProps) {
  const [waiting, start] = useTransition();
  const router = useRouter();
  const showToast = useToast();

  function go(href: string) {
    // Offline, the router would replace the page with the browser's error page.
    if (navigator.onLine) start(() => router.push(href, { scroll: false }));
    else showToast({ text: t("You are offline."), bad: true, action: { label: t("Try again"), act: () => go(href) } });
  }

  return <Frame value={{ waiting, filterable, go }}>{children}</Frame>;
}

/** Returns whether another view is loading. */
export const useWaiting = () => useContext(Frame).waiting;

export function Waiting({ children, className = "" }: { children: ReactNode; className?: string }) {
  const waiting = useWaiting();
  return (
    <div className={`${className} ${waiting ? "is-waiting" : ""}`} aria-busy={waiting}>
      {children}
    </div>
  );
}

/** The parameter of a zoomed view that holds the range to go back to. Another named period is a new start. */
export const ZOOMED = "zoomed";

/** Returns a function that applies a patch to the URL of the current view. The URL is the only state of a view. */
export function useViewHref(): (patch: Patch) => string {
  const pathname = useReportPath();
  const now = useSearchParams();
  return (patch) => {
    const next = new URLSearchParams(now);
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) next.delete(key);
      else next.set(key, value);
    }
    if (patch.period) next.delete(ZOOMED);
    if ("filters" in patch) for (const key of [...next.keys()].filter(isBracketed)) next.delete(key);
    return next.size > 0 ? `${pathname}?${legible(next)}` : pathname;
  };
}

/** Returns a function that opens another view of the same report: the current one with a patch. */
export function useGo(): (patch: Patch) => void {
  const href = useViewHref();
  const { go } = useContext(Frame);
  return (patch) => go(href(patch));
}

/** Bracket notation of filters, replaced by the JSON notation. */
const isBracketed = (key: string) => key.startsWith("filters[");

/** Unescapes characters that browsers accept in a query as they are, for readable URLs. */
const legible = (query: URLSearchParams) => `${query}`.replace(/%(7B|7D|5B|5D|3A|2C|2F|40)/g, decodeURIComponent);

interface ViewLinkProps extends Omit<ComponentProps<typeof Link>, "href"> {
  patch: Patch;
  onGo?: () => void;
  /** The look where its filters are not available to the reader, who then gets plain text. */
  plain?: string;
}

/** A link to another view. */
export function ViewLink({ patch, onGo, plain, ...rest }: ViewLinkProps) {
  const href = useViewHref()(patch);
  const { go, filterable } = useContext(Frame);
  const isRefused =
    filterable && filtersOfQuery({ filters: patch.filters ?? "" })?.some((one) => !filterable.includes(one.key));
  if (isRefused) {
    return (
      <span className={plain} aria-current={rest["aria-current"]}>
        {rest.children}
      </span>
    );
  }
  return (
    <Link
      {...rest}
      href={href}
      prefetch={false}
      scroll={false}
      onNavigate={(event) => {
        event.preventDefault();
        onGo?.();
        go(href);
      }}
    />
  );
}
