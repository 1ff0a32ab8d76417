"use client";

import { ServerError } from "@/components/shell/server-error";

/** Keeps the site's navigation above the error. */
export default ServerError;
