import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Notice } from "@/components/ui/notice";
import { ownPath } from "@/lib/auth/next-path";
import { currentOwner } from "@/lib/auth/session";
import { signupIsOpen } from "@/lib/auth/signup";
import { SignupForm } from "./signup-form";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignupPage({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const next = ownPath((await searchParams).next);
  if (await currentOwner()) redirect(next);
  const open = await signupIsOpen();
  return (
    <>
      <h1 className="text-2xl font-semibold">Create an account</h1>
      <p className="mt-1 mb-6 text-muted">Your first numbers are two minutes away.</p>
      {open ? (
        <SignupForm next={next} />
      ) : (
        <Notice tone="warn">New accounts are closed here. Ask the person who runs this service.</Notice>
      )}
      <p className="mt-6 text-center text-sm text-muted">
        Have an account?{" "}
        <Link href={`/login?next=${encodeURIComponent(next)}`} className="font-medium text-accent underline">
          Sign in
        </Link>
      </p>
    </>
  );
}
