"use client";

import { ServerError } from "@/components/shell/server-error";

export default ServerError;
