/** One row of the table of key names. */
export interface SecretKeyName {
  /** Lower-case words joined by `_`. `api_key` stands for apiKey, API_KEY, api-key, "Api Key" and apikey. */
  readonly name: string;
  /** `suffix`: any key that ends so (`db_password`, `X-Api-Key`); `exact`: the whole key, since the word is too common. */
  readonly match: "suffix" | "exact";
  /** False for names that end like a secret's and hold none: they win over the rest. */
  readonly secret: boolean;
}

const suffix = (name: string): SecretKeyName => ({ name, match: "suffix", secret: true });
const exact = (name: string): SecretKeyName => ({ name, match: "exact", secret: true });
const harmless = (name: string): SecretKeyName => ({ name, match: "suffix", secret: false });

/**
 * Names whose values are secrets, in payloads and in `name=value` text alike. Token *counts* are none:
 * `input_tokens`, `max_tokens`, `token_type` and `gen_ai.usage.input_tokens` end in no name of this table.
 */
export const SECRET_KEY_NAMES: readonly SecretKeyName[] = [
  ...["password", "passwords", "passwd", "passphrase", "passcode", "pass_word", "mysql_pwd", "db_pwd", "user_pwd"].map(
    suffix,
  ),
  ...["secret", "secrets", "secret_id", "secret_key", "client_secret", "secret_value", "secret_string"].map(suffix),
  ...["token", "access_tokens", "refresh_tokens", "auth_tokens", "api_tokens", "session_token", "jwt"].map(suffix),
  ...["api_key", "api_keys", "access_key", "access_keys", "private_key", "private_keys", "account_key"].map(suffix),
  ...["encryption_key", "signing_key", "master_key", "shared_key", "ssh_key", "auth_key", "deploy_key"].map(suffix),
  ...["service_key", "service_role_key", "subscription_key", "license_key", "functions_key"].map(suffix),
  ...["webhook_key", "recovery_key", "seed_phrase", "mnemonic", "recovery_code", "backup_codes"].map(suffix),
  ...["credential", "credentials", "authorization", "cookie", "cookies", "set_cookie", "cookie_jar"].map(suffix),
  ...["connection_string", "webhook_url", "amz_signature", "goog_signature", "otp_code", "totp"].map(suffix),
  ...["auth", "_auth", "bearer", "creds", "otp", "pass", "pwd_hash", "sig"].map(exact),
  ...["first_token", "last_token", "input_token", "output_token", "per_token", "cached_token"].map(harmless),
  ...["eos_token", "bos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token", "stop_token"].map(
    harmless,
  ),
];

/** Endings that say how a secret is kept, not that it is none: `password_hash`, `TOKEN_BASE64`, `api_key_2`. */
const DECORATION = /(?:value|base64|b64|plaintext|hash|[0-9]{1,8})$/;

/**
 * Whether a key's value is a secret. Case and the separators `_`, `-`, `.`, space and brackets do not count.
 * @param rows the table, already checked
 * @param allowKeys whole key names that are never secret
 */
export function createKeyNameTest(
  rows: readonly SecretKeyName[],
  allowKeys: readonly string[],
): (key: string) => boolean {
  const compacted = (match: SecretKeyName["match"], secret: boolean): readonly string[] =>
    rows.filter((row) => row.match === match && row.secret === secret).map((row) => compact(row.name));
  const suffixes = compacted("suffix", true);
  const exacts = new Set(compacted("exact", true));
  const harmlessSuffixes = compacted("suffix", false);
  const allowed = new Set([...compacted("exact", false), ...allowKeys.map(compact)]);

  const isSecret = (name: string): boolean =>
    (exacts.has(name) || suffixes.some((end) => name.endsWith(end))) &&
    !harmlessSuffixes.some((end) => name.endsWith(end));

  return (key) => {
    const name = compact(key);
    if (allowed.has(name)) return false;
    return isSecret(name) || isSecret(name.replace(DECORATION, ""));
  };
}

/** The words that may stand last in a secret's name: none of them in a text, no assignment of a secret in it. */
export function keyNameHints(rows: readonly SecretKeyName[]): readonly string[] {
  const lastWords = rows
    .filter((row) => row.secret)
    .map((row) => compact(row.name.split(/[_.\s-]/).at(-1) ?? row.name));
  return [...new Set(lastWords)].filter((word) => !lastWords.some((other) => other !== word && word.includes(other)));
}

function compact(name: string): string {
  return name.toLowerCase().replaceAll(/[_.\s\-[\]"']/g, "");
}
