import { msg } from "@/lib/texts/translate";
/** Names of the channels of alerts. */
export const CHANNEL_NAMES = {
  email: msg("Email"),
  webhook: msg("Webhook"),
  slack: msg("Slack"),
  teams: msg("Microsoft Teams"),
  discord: msg("Discord"),
} as const;
