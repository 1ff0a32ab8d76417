import { headers } from "next/headers";
import { FROM_THIS_MACHINE } from "@/lib/server/headers";

/** The IP address of the browser that asks, as the server in front has established it: what attempts are counted by. */
export const addressOfBrowser = async (): Promise<string> => (await headers()).get("x-footfall-client-ip") ?? "unknown";

/** Whether the browser runs on the machine that the server runs on. */
export const isOnThisMachine = async (): Promise<boolean> => (await headers()).get(FROM_THIS_MACHINE) === "1";
