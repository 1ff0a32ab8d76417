/** Secrets that providers mark by a prefix, as they and secret scanners publish them. */

const WORD = "[A-Za-z0-9_-]";
const PREFIXES: readonly string[] = [
  // Amazon Web Services
  "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
  // GitHub, GitLab, npm, PyPI, Docker Hub, RubyGems
  "gh[opusr]_[A-Za-z0-9]{20,}",
  `github_pat_${WORD}{20,}`,
  `gl(?:pat|ptt|dt|rt|cbt|ft|soat|oas|agent|imt)-${WORD}{16,}`,
  "npm_[A-Za-z0-9]{30,}",
  `pypi-${WORD}{30,}`,
  `dckr_(?:pat|oat)_${WORD}{20,}`,
  "rubygems_[a-f0-9]{40,}",
  // Stripe, Square, Razorpay, Shopify, Braintree
  "(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}",
  "whsec_[A-Za-z0-9]{16,}",
  `sq0(?:atp|csp)-${WORD}{20,}`,
  "rzp_(?:live|test)_[A-Za-z0-9]{14,}",
  "shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}",
  // Slack, Discord, Telegram
  `xox[abeoprsc]-${WORD}{10,}`,
  `xapp-${WORD}{10,}`,
  // Google, Firebase, OpenAI, Anthropic, Hugging Face
  `AIza${WORD}{30,}`,
  `GOCSPX-${WORD}{20,}`,
  `ya29\\.${WORD}{16,}`,
  `sk-(?:proj-|ant-|svcacct-|admin-|or-)${WORD}{16,}`,
  "sk-[A-Za-z0-9]{20,}",
  "hf_[A-Za-z]{30,}",
  // SendGrid, Mailgun, Mailchimp, Twilio, Postmark
  `SG\\.${WORD}{12,}\\.${WORD}{12,}`,
  "key-[a-f0-9]{32}",
  "[a-f0-9]{32}-us\\d{1,2}(?![a-z0-9])",
  "SK[a-f0-9]{32}(?![A-Za-z0-9])",
  // DigitalOcean, Databricks, HashiCorp, Grafana, Sentry, Figma, Linear, Notion, Supabase, Postman, Atlassian, Doppler
  "do[opr]_v1_[a-f0-9]{40,}",
  "dapi[a-f0-9]{32}",
  `hv[sbr]\\.${WORD}{20,}`,
  `gl(?:sa|c)_${WORD}{20,}`,
  `sntry[su]_${WORD}{20,}`,
  `fig[do]r?_${WORD}{20,}`,
  "lin_(?:api|oauth)_[A-Za-z0-9]{20,}",
  "(?:ntn|secret)_[A-Za-z0-9]{40,}",
  "sb[ps]_[a-f0-9]{40}",
  `PMAK-${WORD}{30,}`,
  `ATATT3${WORD}{30,}`,
  "dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9]{20,}",
  "AGE-SECRET-KEY-1[A-Z0-9]{50,}",
];
export const PROVIDER_KEY = new RegExp(`^(?:${PREFIXES.join("|")})`);
