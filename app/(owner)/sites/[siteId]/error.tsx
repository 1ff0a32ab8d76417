"use client";

import { ServerError } from "@/components/shell/server-error";

/** Within the site's own navigation, which stays. */
export default ServerError;
