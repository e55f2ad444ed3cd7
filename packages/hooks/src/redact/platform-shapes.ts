import type { SecretShape } from "./secret-shape.ts";

/** Clouds, hosting and databases. */
export const PLATFORM_SHAPES: readonly SecretShape[] = [
  {
    id: "aws_access_key_id",
    description: "AWS access key id",
    pattern: /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
    hints: ["A3T", "AKIA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA", "ASIA"],
  },
  {
    id: "aws_secret_access_key",
    description: "AWS secret access key, known by the name before it",
    pattern: /secret[_-]?access[_-]?key\\{0,7}["']?\s{0,16}(?:=>|=|:)\s{0,16}\\{0,7}["']?([A-Za-z0-9/+=]{40,})/i,
    hints: ["secret"],
    group: 1,
  },
  {
    id: "aws_session_token",
    description: "AWS session token",
    pattern: /(?<![A-Za-z0-9])(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9/+=_%-]{80,}/,
    hints: ["IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz"],
  },
  {
    id: "google_api_key",
    description: "Google API key",
    pattern: /(?<![A-Za-z])AIza[A-Za-z0-9_-]{35,}/,
    hints: ["AIza"],
  },
  {
    id: "google_oauth_token",
    description: "Google OAuth access token, refresh token or client secret",
    pattern: /(?<![A-Za-z0-9])(?:ya29\.|GOCSPX-|1\/\/0)[A-Za-z0-9_-]{20,}/,
    hints: ["ya29.", "GOCSPX-", "1//0"],
  },
  {
    id: "azure_connection_key",
    description: "Azure storage, service bus or event hub key in a connection string",
    pattern: /(?:AccountKey|SharedAccessKey|SharedSecretValue|SharedAccessSignature)\s{0,4}=\s{0,4}([^\s;"'<>]{16,})/i,
    hints: ["accountkey", "sharedaccesskey", "sharedsecretvalue", "sharedaccesssignature"],
    group: 1,
  },
  {
    id: "azure_client_secret",
    description: "Microsoft Entra client secret",
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}/,
    hints: ["Q~"],
  },
  {
    id: "azure_api_key",
    description: "Azure key with an embedded signature: AI services, DevOps, storage, Cosmos, caches and others",
    pattern:
      /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,76}(?:JQQJ99|AZDO|AzCa|AzSe|AzFu|\+AMC|\+ACD|\+ASt|\+ABa|\+ASb|\+AEh|AIoT)[A-Za-z0-9+/=]{4,}/,
    hints: ["JQQJ99", "AZDO", "AzCa", "AzSe", "AzFu", "+AMC", "+ACD", "+ASt", "+ABa", "+ASb", "+AEh", "AIoT"],
  },
  {
    id: "cloudflare_token",
    description: "Cloudflare API key or token, or origin CA key",
    pattern: /(?<![A-Za-z])(?:cf(?:k|ut|at)_[A-Za-z0-9]{40,}|v1\.0-[0-9a-f]{24}-[0-9a-f]{100,})/,
    hints: ["cfk_", "cfut_", "cfat_", "v1.0-"],
  },
  {
    id: "databricks_token",
    description: "Databricks personal access token",
    pattern: /(?<![A-Za-z])d(?:api|kea|ose)[A-Fa-f0-9]{32}(?:-[0-9])?(?![A-Fa-f0-9])/,
    hints: ["dapi", "dkea", "dose"],
  },
  {
    id: "digitalocean_token",
    description: "DigitalOcean token",
    pattern: /(?<![A-Za-z])do[opr]_v1_[a-f0-9]{40,}/,
    hints: ["_v1_"],
  },
  {
    id: "fly_token",
    description: "Fly.io token",
    pattern: /(?<![A-Za-z])(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=,_-]{40,}/,
    hints: ["fm1", "fm2"],
  },
  {
    id: "heroku_token",
    description: "Heroku API key",
    pattern: /(?<![A-Za-z])HRKU-[A-Za-z0-9_-]{30,}/,
    hints: ["HRKU-"],
  },
  {
    id: "planetscale_token",
    description: "PlanetScale token or password",
    pattern: /(?<![A-Za-z])pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,}/,
    hints: ["pscale_"],
  },
  {
    id: "supabase_token",
    description: "Supabase token or secret key",
    pattern: /(?<![A-Za-z])(?:sbp_|sb_secret_)[A-Za-z0-9_-]{20,}/,
    hints: ["sbp_", "sb_secret_"],
  },
  {
    id: "netlify_token",
    description: "Netlify token",
    pattern: /(?<![A-Za-z])nf[popcu]_[A-Za-z0-9_-]{36,}/,
    hints: ["nfp_", "nfo_", "nfc_", "nfu_"],
  },
  {
    id: "tailscale_key",
    description: "Tailscale key",
    pattern: /(?<![A-Za-z])tskey-[a-z]{2,20}-[0-9A-Za-z_-]{16,}/,
    hints: ["tskey-"],
  },
  {
    id: "vault_token",
    description: "HashiCorp Vault token",
    pattern: /(?<![A-Za-z])hv[sbr]\.[A-Za-z0-9_-]{24,}/,
    hints: ["hvs.", "hvb.", "hvr."],
  },
  {
    id: "terraform_token",
    description: "HCP Terraform token",
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}/,
    hints: [".atlasv1."],
  },
  {
    id: "vercel_token",
    description: "Vercel token",
    pattern: /(?<![A-Za-z])vc[pairk]_[A-Za-z0-9]{20,}/,
    hints: ["vcp_", "vca_", "vci_", "vcr_", "vck_"],
  },
];
