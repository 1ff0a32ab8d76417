import { env } from "@/lib/platform/env";
import { toWeb } from "@/lib/platform/http/http";
import { metricsAnswer } from "@/lib/server/metrics";

/** Metrics in Prometheus format. */
export const GET = async (request: Request): Promise<Response> =>
  toWeb(await metricsAnswer(env().METRICS_TOKEN, request.headers.get("authorization")));
