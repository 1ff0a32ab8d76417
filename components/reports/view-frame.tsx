"use client";

import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { type ComponentProps, createContext, type ReactNode, useContext, useTransition } from "react";
import { useReportPath } from "@/components/reports/report-path";
import { useToast } from "@/components/ui/toaster";

/** What of a view changes; null takes a parameter away. */
export type Patch = Record<string, string | null>;

const Frame = createContext<{ waiting: boolean; go(href: string): void }>({ waiting: false, go: () => {} });

/** Holds the dashboard together: while another view is being fetched, everything in `Waiting` turns pale. */
export function ViewFrame({ children }: { children: ReactNode }) {
  const [waiting, start] = useTransition();
  const router = useRouter();
  const showToast = useToast();

  function go(href: string) {
    // The router would leave the page, for one of the browser's that says no more than this.
    if (navigator.onLine) start(() => router.push(href, { scroll: false }));
    else showToast({ text: "You are offline.", bad: true, action: { label: "Try again", act: () => go(href) } });
  }

  return <Frame value={{ waiting, go }}>{children}</Frame>;
}

/** Whether another view is being fetched. */
export const useWaiting = () => useContext(Frame).waiting;

export function Waiting({ children, className = "" }: { children: ReactNode; className?: string }) {
  const waiting = useWaiting();
  return (
    <div className={`${className} ${waiting ? "is-waiting" : ""}`} aria-busy={waiting}>
      {children}
    </div>
  );
}

/** Goes to another view of the same report. */
export const useGo = () => useContext(Frame).go;

/** The address of this view with something changed. The address is the only place where a view is kept. */
export function useViewHref(): (patch: Patch) => string {
  const pathname = useReportPath();
  const now = useSearchParams();
  return (patch) => {
    const next = new URLSearchParams(now);
    for (const [key, value] of Object.entries(patch)) {
      if (value === null) next.delete(key);
      else next.set(key, value);
    }
    if ("filters" in patch) for (const key of [...next.keys()].filter(isBracketed)) next.delete(key);
    return next.size > 0 ? `${pathname}?${legible(next)}` : pathname;
  };
}

/** Another way to write filters, which what is written now replaces. */
const isBracketed = (key: string) => key.startsWith("filters[");

/** An address that people can read: of what a query may hold as it is, little needs to be escaped. */
const legible = (query: URLSearchParams) => `${query}`.replace(/%(7B|7D|5B|5D|3A|2C|2F|40)/g, decodeURIComponent);

/** A link to another view: it can be opened in a new tab like any other. */
export function ViewLink({
  patch,
  onGo,
  ...rest
}: { patch: Patch; onGo?: () => void } & Omit<ComponentProps<typeof Link>, "href">) {
  const href = useViewHref()(patch);
  const go = useGo();
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
