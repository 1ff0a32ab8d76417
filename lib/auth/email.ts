import { z } from "zod";

/** Normalises an address: trimmed, NFC, lower case. */
export const normaliseEmail = (typed: string): string => typed.trim().normalize("NFC").toLowerCase();

/** An email address from a form, normalised. */
export const emailAddress = z
  .string("must be an email address")
  .meta({ examples: ["you@example.com"] })
  .transform(normaliseEmail)
  .pipe(z.email("must be an email address such as you@example.com").max(254, "must have at most 254 characters"));
