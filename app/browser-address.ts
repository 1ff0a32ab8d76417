import { headers } from "next/headers";

/** The IP address of the browser that asks, as the server in front has established it: what attempts are counted by. */
export const addressOfBrowser = async (): Promise<string> => (await headers()).get("x-footfall-client-ip") ?? "unknown";
