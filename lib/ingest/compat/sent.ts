import type { Answer } from "@/lib/platform/http/http";

/** What the readers of foreign events share. */

export type Sent = Readonly<Record<string, unknown>>;

export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === "";

/** Longer values of properties are cut, as other products do. */
const LONGEST_VALUE = 2000;

/** Returns text cut to its longest length, never within a character; anything else as it is. */
export const cutText = (value: unknown, most = LONGEST_VALUE): unknown =>
  typeof value === "string" ? value.slice(0, most).toWellFormed() : value;

/** Returns the status of a refusal: other products answer 400 to what is invalid. */
export const foreignStatus = ({ status }: Answer): number => (status === 422 ? 400 : status);

/** A website id of another product that an owner maps to a site: a UUID in Umami, or any other name without a dot. */
const WEBSITE_ID = /^[A-Za-z0-9_-]{3,64}$/;

/** Whether an event names its site by a website id. A trial site may be called localhost. */
export const isWebsiteId = (text: string): boolean => WEBSITE_ID.test(text) && text.toLowerCase() !== "localhost";
