import { headers } from "next/headers";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";

/** The IP address of the browser that asks: what attempts are counted by. */
export const addressOfBrowser = async (): Promise<string> => (await headers()).get(CALLER_HEADERS.address) || "unknown";

/** Whether the browser runs on the machine that the server runs on. */
export const isOnThisMachine = async (): Promise<boolean> => (await headers()).get(CALLER_HEADERS.local) === "1";
