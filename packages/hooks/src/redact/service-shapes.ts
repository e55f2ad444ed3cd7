import type { SecretShape } from "./secret-shape.ts";

/** Messaging, mail, shops and payments. */
export const SERVICE_SHAPES: readonly SecretShape[] = [
  {
    id: "slack_token",
    description: "Slack token: bot, user, app, workspace, refresh, configuration",
    pattern: /(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[a-z])?|xapp)-(?=[A-Za-z-]{0,40}[0-9])[A-Za-z0-9-]{8,}/,
    hints: ["xox", "xapp-"],
  },
  {
    id: "slack_webhook",
    description: "The secret path of a Slack webhook",
    pattern: /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{4,})/i,
    hints: ["hooks.slack"],
    group: 1,
  },
  {
    id: "discord_webhook",
    description: "The secret part of a Discord webhook",
    pattern: /discord(?:app)?\.com\/api\/(?:v[0-9]{1,2}\/)?webhooks\/[0-9]{5,25}\/([A-Za-z0-9_-]{20,})/i,
    hints: ["/webhooks/"],
    group: 1,
  },
  {
    id: "discord_token",
    description: "Discord bot token; it begins with a number in Base64",
    pattern: /(?<![A-Za-z0-9_-])(?:M[Tjz]|N[DTjz]|O[DT])[A-Za-z0-9_-]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/,
    hints: ["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
  },
  {
    id: "teams_webhook",
    description: "The secret path of a Microsoft Teams webhook",
    pattern: /\.webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/_-]{20,})/i,
    hints: [".webhook.office.com"],
    group: 1,
  },
  {
    id: "telegram_token",
    description: "Telegram bot token",
    pattern: /(?<![0-9])[0-9]{8,12}:AA[A-Za-z0-9_-]{33,}/,
    hints: [":AA"],
  },
  {
    id: "sendgrid_key",
    description: "SendGrid API key",
    pattern: /(?<![A-Za-z])SG\.[A-Za-z0-9_-]{5,128}\.[A-Za-z0-9_-]{20,}/,
    hints: ["SG."],
  },
  {
    id: "mailgun_key",
    description: "Mailgun API key",
    pattern: /(?<![A-Za-z0-9])key-[0-9a-f]{32}(?![0-9a-f])/,
    hints: ["key-"],
  },
  {
    id: "mailchimp_key",
    description: "Mailchimp API key",
    pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9])/,
    hints: ["-us"],
  },
  {
    id: "twilio_key",
    description: "Twilio API key",
    pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![0-9a-f])/,
    hints: ["SK"],
  },
  {
    id: "stripe_key",
    description: "Stripe secret or restricted key, or webhook secret",
    pattern: /(?<![A-Za-z])(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9_]{16,}|whsec_[A-Za-z0-9+/=]{24,})/,
    hints: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
  },
  {
    id: "shopify_token",
    description: "Shopify token or shared secret",
    pattern: /(?<![A-Za-z])shp(?:pa|ca|at|ss|ua|tka)_[A-Za-z0-9]{32,}/,
    hints: ["shp"],
  },
  {
    id: "square_token",
    description: "Square access token or OAuth secret",
    pattern: /(?<![A-Za-z0-9])sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}/,
    hints: ["sq0"],
  },
];
