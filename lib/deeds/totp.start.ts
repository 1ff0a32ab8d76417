import { z } from "zod";
import { startSecondFactor } from "@/lib/auth/enrolment";
import { defineDeed, FRESH_MS } from "@/lib/deeds/define";

export default defineDeed({
  id: "totp.start",
  freshMs: FRESH_MS,
  input: z.strictObject({}),
  run: ({ owner }) => startSecondFactor(owner),
});
