import type { SecretShape } from "./secret-shape.ts";

/** Code hosting, package registries, and the tools of development. */
export const DEVELOPER_SHAPES: readonly SecretShape[] = [
  {
    id: "github_token",
    description: "GitHub token: personal, fine-grained, OAuth, app, installation (also in its JWT form) or refresh",
    pattern:
      /(?<![A-Za-z])(?:ghs_[0-9]{1,20}_[A-Za-z0-9_.-]{20,}|gh[oprsu]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{50,})/,
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
  },
  {
    id: "gitlab_token",
    description: "GitLab token: personal, deploy, runner, trigger, agent, feed, OAuth, SCIM",
    pattern: /(?<![A-Za-z])gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20,}/,
    hints: ["pat-", "dt-", "rt-", "rtr-", "cbt-", "ptt-", "ft-", "imt-", "agent-", "oas-", "soat-", "ffct-"].map(
      (kind) => `gl${kind}`,
    ),
  },
  {
    id: "npm_token",
    description: "npm access token",
    pattern: /(?<![A-Za-z])npm_(?:(?:(?!npm_)[A-Za-z0-9_]){36}(?![A-Za-z0-9_])|[A-Za-z0-9]{36,})/,
    hints: ["npm_"],
  },
  {
    id: "npm_auth",
    description: "A registry's credential in .npmrc, name and value",
    pattern: /(?<![A-Za-z0-9])_(?:authToken|auth|password)\s{0,4}=\s{0,4}(?![\s$])["']?[^\s"']{1,}/,
    hints: ["_auth", "_password"],
  },
  {
    id: "pypi_token",
    description: "PyPI upload token",
    pattern: /(?<![A-Za-z])pypi-AgE[A-Za-z0-9_-]{50,}/,
    hints: ["pypi-AgE"],
  },
  {
    id: "rubygems_key",
    description: "RubyGems API key",
    pattern: /(?<![A-Za-z])rubygems_[0-9a-f]{48,}/,
    hints: ["rubygems_"],
  },
  {
    id: "crates_token",
    description: "crates.io token",
    pattern: /(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/,
    hints: ["cio"],
  },
  {
    id: "docker_token",
    description: "Docker Hub personal or organisation access token",
    pattern: /(?<![A-Za-z])dckr_[po]at_[A-Za-z0-9_-]{27,}/,
    hints: ["dckr_"],
  },
  {
    id: "grafana_token",
    description: "Grafana Cloud or service account token",
    pattern: /(?<![A-Za-z])(?:glc_[A-Za-z0-9+/]{32,400}={0,2}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})/,
    hints: ["glc_", "glsa_"],
  },
  {
    id: "sentry_token",
    description: "Sentry organisation or user token",
    pattern: /(?<![A-Za-z])sntry[su]_[A-Za-z0-9+/=_-]{40,}/,
    hints: ["sntrys_", "sntryu_"],
  },
  {
    id: "new_relic_key",
    description: "New Relic key",
    pattern: /(?<![A-Za-z])NR(?:AK|II|IQ|RA|JS)-[A-Za-z0-9_-]{19,}/,
    hints: ["NRAK-", "NRII-", "NRIQ-", "NRRA-", "NRJS-"],
  },
  {
    id: "postman_key",
    description: "Postman API key",
    pattern: /(?<![A-Za-z])PMAK-[A-Za-z0-9-]{40,}/,
    hints: ["PMAK-"],
  },
  {
    id: "atlassian_token",
    description: "Atlassian API token",
    pattern: /(?<![A-Za-z])AT[AC]TT3[A-Za-z0-9_=-]{40,}/,
    hints: ["ATATT3", "ATCTT3"],
  },
  {
    id: "linear_token",
    description: "Linear API or OAuth token",
    pattern: /(?<![A-Za-z])lin_(?:api|oauth)_[A-Za-z0-9_]{32,}/,
    hints: ["lin_api_", "lin_oauth_"],
  },
  {
    id: "notion_token",
    description: "Notion integration token",
    pattern: /(?<![A-Za-z])(?:ntn_[0-9]{11}[A-Za-z0-9]{35,}|secret_[A-Za-z0-9]{43,})/,
    hints: ["ntn_", "secret_"],
  },
  {
    id: "figma_token",
    description: "Figma token",
    pattern: /(?<![A-Za-z])fig[duro]_[A-Za-z0-9_-]{40,}/,
    hints: ["figd_", "figu_", "figr_", "figo_"],
  },
  {
    id: "airtable_token",
    description: "Airtable personal access token",
    pattern: /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{64,}/,
    hints: ["pat"],
  },
  {
    id: "doppler_token",
    description: "Doppler token",
    pattern: /(?<![A-Za-z])dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{40,}/,
    hints: ["dp."],
  },
  {
    id: "pulumi_token",
    description: "Pulumi access token",
    pattern: /(?<![A-Za-z])pul-[a-f0-9]{40,}/,
    hints: ["pul-"],
  },
  {
    id: "onepassword_token",
    description: "1Password service account token or secret key",
    pattern:
      /(?<![A-Za-z])(?:ops_ey[A-Za-z0-9+/=_-]{100,}|A3-[A-Z0-9]{6}-[A-Z0-9]{5,6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?:-[A-Z0-9]{5})?)/,
    hints: ["ops_ey", "A3-"],
  },
];
