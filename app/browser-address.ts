import { headers } from "next/headers";
import { FROM_THIS_MACHINE } from "@/lib/server/headers";

/** In which the server in front says the address of the browser that asks. */
export const ADDRESS_HEADER = "x-footfall-client-ip";

/** The IP address of the browser that asks, as the server in front has established it: what attempts are counted by. */
export const addressOfBrowser = async (): Promise<string> => (await headers()).get(ADDRESS_HEADER) ?? "unknown";

/** Whether the browser runs on the machine that the server runs on. */
export const isOnThisMachine = async (): Promise<boolean> => (await headers()).get(FROM_THIS_MACHINE) === "1";
