import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Notice } from "@/components/ui/notice";
import { ownPath } from "@/lib/auth/next-path";
import { currentOwner } from "@/lib/auth/session";
import { signupIsOpen } from "@/lib/auth/signup";
import { LoginForm } from "./login-form";

export const metadata: Metadata = { title: "Sign in" };

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string; reset?: string }>;
}) {
  const query = await searchParams;
  const next = ownPath(query.next);
  if (await currentOwner()) redirect(next);
  const open = await signupIsOpen();
  return (
    <>
      <h1 className="text-2xl font-semibold">Sign in</h1>
      <p className="mt-1 mb-6 text-muted">To your sites and dashboards.</p>
      {query.reset === "done" && (
        <div className="mb-4">
          <Notice tone="good">Your password was changed. Sign in with the new one.</Notice>
        </div>
      )}
      <LoginForm next={next} />
      {open && (
        <p className="mt-6 text-center text-sm text-muted">
          New here?{" "}
          <Link href={`/signup?next=${encodeURIComponent(next)}`} className="font-medium text-accent underline">
            Create an account
          </Link>
        </p>
      )}
    </>
  );
}
