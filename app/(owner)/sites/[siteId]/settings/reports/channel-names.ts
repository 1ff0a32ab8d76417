/** Names of the channels of alerts. */
export const CHANNEL_NAMES = {
  email: "Email",
  webhook: "Webhook",
  slack: "Slack",
  teams: "Microsoft Teams",
  discord: "Discord",
} as const;
