import { z } from "zod";

/** The one spelling of an address: no space around it, NFC, lower case. */
export const normaliseEmail = (typed: string): string => typed.trim().normalize("NFC").toLowerCase();

/** An e-mail address as a person may type it, in its one spelling. */
export const emailAddress = z
  .string("must be an e-mail address")
  .meta({ examples: ["you@example.com"] })
  .transform(normaliseEmail)
  .pipe(z.email("must be an e-mail address such as you@example.com").max(254, "must have at most 254 characters"));
