import { headers } from "next/headers";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";

/** IP address of the browser, used for rate limits. */
export const addressOfBrowser = async (): Promise<string> => (await headers()).get(CALLER_HEADERS.address) || "unknown";

/** Whether the browser runs on the server's machine. */
export const isOnThisMachine = async (): Promise<boolean> => (await headers()).get(CALLER_HEADERS.local) === "1";
