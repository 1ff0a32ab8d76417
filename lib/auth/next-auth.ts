import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/options";

/** next-auth's own addresses: csrf, callback/credentials, session, signout. */
export const nextAuth = (request: Request, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> =>
  NextAuth(request as never, context as never, authOptions());
