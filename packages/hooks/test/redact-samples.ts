/**
 * A sample secret for every message of every rule of secretlint's recommended preset. Each is put together at run time:
 * no literal of this file is shaped like a secret.
 */
export interface Sample {
  /** The name of the file that the rule expects; a text otherwise. */
  readonly fileName?: string;
  readonly text: string;
}

/** Rules without a secret of their own: filter-comments only switches others off. */
export const RULES_WITHOUT_SECRETS: readonly string[] = ["filter-comments"];

/** The p12 check reads a file from the disk, which no text is; an AWS account id identifies and authorises nobody. */
export const MESSAGES_WITHOUT_SAMPLE: readonly string[] = ["PrivateKeyP12", "AWSAccountID"];

const ALPHABET = "aZ3bY7cX9dW1eV5fU2gT8hS4iR6jQ0kP";
const HEX = "0a9b8c7d6e5f4321";

const cycle = (characters: string, length: number): string =>
  Array.from({ length }, (_, index) => characters[index % characters.length]).join("");
/** Letters and digits. */
export const mixed = (length: number): string => cycle(ALPHABET, length);
export const hex = (length: number): string => cycle(HEX, length);
export const letters = (length: number): string => cycle("aZbYcXdWeV", length);
export const digits = (length: number): string => cycle("1357924680", length);
export const base64 = (text: string): string => btoa(text);
export const join = (...pieces: readonly string[]): string => pieces.join("");

export const pem = (kind = "RSA ", lineBreak = "\n"): string => {
  const lines = [join("MI", mixed(62)), mixed(64), mixed(64)];
  return [join("-----BEGIN ", kind, "PRIVATE KEY-----"), ...lines, join("-----END ", kind, "PRIVATE KEY-----")].join(
    lineBreak,
  );
};

export const jwt = (): string =>
  [JSON.stringify({ alg: "HS256", typ: "JWT" }), JSON.stringify({ sub: "someone", iat: 1_700_000_000 }), mixed(32)]
    .map((part) => base64(part).replaceAll("=", ""))
    .join(".");

const url = (scheme: string): Sample => ({
  text: join(scheme, "://", "writer", ":", "c0rrect-h0rse", "@", "db.internal.net/orders"),
});
const prefixed = (prefix: string, rest: string): Sample => ({ text: join(prefix, rest) });

/** By the short name of the rule, then by the id of the message. */
export const SAMPLES: Readonly<Record<string, Readonly<Record<string, readonly Sample[]>>>> = {
  aws: {
    AWSAccessKeyID: ["AKIA", "ASIA", "A3TX"].map((prefix) => prefixed(prefix, mixed(16).toUpperCase())),
    AWSSecretAccessKey: [
      prefixed("aws_secret_access_key = ", mixed(40)),
      prefixed("AWS_SECRET_ACCESS_KEY=", mixed(40)),
      { text: join('SecretAccessKey => "', mixed(40), '"') },
    ],
  },
  gcp: {
    PrivateKeyJSON: [
      {
        fileName: "service-account.json",
        text: JSON.stringify({ type: "service_account", private_key_id: hex(40), private_key: pem("") }, undefined, 2),
      },
    ],
  },
  privatekey: {
    PrivateKey: ["RSA ", "EC ", "DSA ", ""].flatMap((kind) => [{ text: pem(kind) }, { text: pem(kind, "\\n") }]),
  },
  npm: {
    PackageJSON_xOauthToken: [
      {
        fileName: "package.json",
        text: join("https://", mixed(40), ":x-oauth-basic", "@", "github.com/owner/name.git"),
      },
    ],
    Npmrc_authToken: [{ fileName: ".npmrc", text: join("//registry.example/:_auth", "Token=", mixed(36)) }],
    NPM_ACCESS_TOKEN: [prefixed("npm_", mixed(36))],
  },
  basicauth: { BasicAuth: ["https", "http", "ftp"].map(url) },
  slack: {
    SLACK_TOKEN: ["xoxb", "xoxp", "xapp", "xoxa", "xoxo", "xoxr"].map((prefix) =>
      prefixed(prefix, join("-", digits(12), "-", digits(12), "-", mixed(24))),
    ),
    IncomingWebhook: [
      { text: join("https://hooks.slack", ".com/services/", `T${mixed(8)}/B${mixed(8)}/${mixed(24)}`) },
    ],
  },
  sendgrid: { SENDGRID_KEY: [prefixed("SG.", join(mixed(22), ".", mixed(43)))] },
  shopify: { SHOPIFY_KEY: ["shppa", "shpca", "shpat", "shpss"].map((prefix) => prefixed(prefix, `_${hex(32)}`)) },
  stripe: {
    STRIPE_SECRET_KEY_LIVE: [prefixed("sk", `_live_${mixed(24)}`)],
    STRIPE_SECRET_KEY_TEST: [prefixed("sk", `_test_${mixed(24)}`)],
    STRIPE_RESTRICTED_KEY_LIVE: [prefixed("rk", `_live_${mixed(99)}`)],
    STRIPE_RESTRICTED_KEY_TEST: [prefixed("rk", `_test_${mixed(50)}`)],
  },
  github: {
    GITHUB_TOKEN: [
      ...["ghp", "gho", "ghu", "ghs", "ghr"].map((prefix) => prefixed(prefix, `_${mixed(36)}`)),
      prefixed("github", `_pat_${mixed(82)}`),
      prefixed("ghs", `_${digits(7)}_${mixed(30)}.${mixed(60)}.${mixed(40)}`),
    ],
  },
  gitlab: { GITLAB_PERSONAL_ACCESS_TOKEN: [prefixed("glpat", `-${mixed(20)}`), prefixed("glpat", `-${mixed(128)}`)] },
  grafana: {
    GRAFANA_CLOUD_API_TOKEN: [prefixed("glc", `_${mixed(120)}==`)],
    GRAFANA_SERVICE_ACCOUNT_TOKEN: [prefixed("glsa", `_${mixed(32)}_${hex(8)}`)],
  },
  openai: {
    OPENAI_TOKEN: [
      prefixed("sk-", join(mixed(20), "T3Blbk", "FJ", mixed(20))),
      ...["proj", "svcacct", "admin"].map((kind) =>
        prefixed("sk-", join(kind, "-", mixed(74), "T3Blbk", "FJ", mixed(74))),
      ),
    ],
  },
  anthropic: { ANTHROPIC_API_KEY: [prefixed("sk-", `ant-api03-${mixed(93)}AA`)] },
  groq: { GROQ_API_KEY: [prefixed("gsk", `_${mixed(52)}`)] },
  huggingface: { HUGGINGFACE_USER_ACCESS_TOKEN: [prefixed("hf", `_${letters(34)}`)] },
  linear: { LINEAR_API_TOKEN: [prefixed("lin", `_api_${mixed(40)}`)] },
  notion: { NOTION_INTEGRATION_TOKEN: [prefixed("ntn", `_${digits(11)}${mixed(35)}`)] },
  "1password": {
    OPS_TOKEN: [prefixed("ops", `_${base64(JSON.stringify({ email: "someone", key: mixed(123) }))}`)],
  },
  "database-connection-string": {
    MongoDBConnection: [url("mongodb"), url("mongodb+srv")],
    MySQLConnection: [url("mysql"), url("jdbc:mysql"), url("mysqlx")],
    PostgreSQLConnection: [url("postgres"), url("postgresql")],
  },
  "hashicorp-vault": {
    HASHICORP_VAULT_SERVICE_TOKEN: [prefixed("hvs", `.${mixed(95)}`)],
    HASHICORP_VAULT_BATCH_TOKEN: [prefixed("hvb", `.${mixed(140)}`)],
    HASHICORP_VAULT_RECOVERY_TOKEN: [prefixed("hvr", `.${mixed(95)}`)],
  },
  vercel: {
    VERCEL_PERSONAL_ACCESS_TOKEN: [prefixed("vcp", `_${mixed(24)}`)],
    VERCEL_INTEGRATION_TOKEN: [prefixed("vci", `_${mixed(24)}`)],
    VERCEL_APP_ACCESS_TOKEN: [prefixed("vca", `_${mixed(60)}`)],
    VERCEL_APP_REFRESH_TOKEN: [prefixed("vcr", `_${mixed(60)}`)],
    VERCEL_AI_GATEWAY_API_KEY: [prefixed("vck", `_${mixed(56)}`)],
  },
  databricks: { DATABRICKS_PERSONAL_ACCESS_TOKEN: [prefixed("dapi", hex(32)), prefixed("dapi", `${hex(32)}-2`)] },
  docker: { DOCKER_PERSONAL_ACCESS_TOKEN: [prefixed("dckr", `_pat_${mixed(27)}`)] },
  figma: { FIGMA_PERSONAL_ACCESS_TOKEN: [prefixed("figd", `_${mixed(40)}`)] },
  cloudflare: {
    CLOUDFLARE_GLOBAL_API_KEY: [prefixed("cfk", `_${mixed(40)}${hex(8)}`)],
    CLOUDFLARE_USER_API_TOKEN: [prefixed("cfut", `_${mixed(40)}${hex(8)}`)],
    CLOUDFLARE_ACCOUNT_API_TOKEN: [prefixed("cfat", `_${mixed(40)}${hex(8)}`)],
  },
  tailscale: {
    TAILSCALE_API_KEY: [prefixed("tskey", `-api-${mixed(12)}-${mixed(32)}`)],
    TAILSCALE_AUTH_KEY: [prefixed("tskey", `-auth-${mixed(12)}-${mixed(32)}`)],
    TAILSCALE_CLIENT_KEY: [prefixed("tskey", `-client-${mixed(12)}-${mixed(32)}`)],
    TAILSCALE_SCIM_KEY: [prefixed("tskey", `-scim-${mixed(12)}-${mixed(32)}`)],
    TAILSCALE_WEBHOOK_KEY: [prefixed("tskey", `-webhook-${mixed(12)}-${mixed(32)}`)],
    TAILSCALE_KEY: [prefixed("tskey", `-other-${mixed(12)}-${mixed(32)}`)],
  },
};
