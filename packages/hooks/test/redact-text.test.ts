import { expect, test } from "vitest";
import { createRedactor, SECRET_SHAPES } from "../src/redact/index.ts";
import { base64, digits, hex, join, jwt, letters, mixed, pem, SAMPLES } from "./redact-samples.ts";

const redactor = createRedactor();

/** [the id in the marker, what stands before the secret, the secret, what stands behind it] */
const SHAPE_CASES: readonly (readonly [id: string, before: string, secret: string, after: string])[] = [
  ["anthropic_api_key", "x ", join("sk-", "ant-oat01-", mixed(40)), " y"],
  ["openai_api_key", "x ", join("sk-", "proj-", mixed(60)), " y"],
  ["sk_api_key", "x ", join("sk-", "or-v1-", hex(40)), " y"],
  ["groq_api_key", "", join("gsk", "_", mixed(52)), ""],
  ["huggingface_token", "", join("hf", "_", letters(34)), ""],
  ["xai_api_key", "", join("xai", "-", mixed(80)), ""],
  ["perplexity_api_key", "", join("pplx", "-", mixed(48)), ""],
  ["replicate_token", "", join("r8", "_", mixed(37)), ""],
  ["nvidia_api_key", "", join("nvapi", "-", mixed(64)), ""],
  ["langsmith_api_key", "", join("lsv2", "_pt_", hex(32), "_", hex(10)), ""],
  ["tavily_api_key", "", join("tvly", "-", mixed(32)), ""],
  ["github_token", "clone with ", join("gh", "p_", mixed(36)), "."],
  ["gitlab_token", "", join("glptt", "-", mixed(40)), ""],
  ["npm_token", "", join("npm", "_", mixed(36)), ""],
  ["npm_auth", "//registry.example/:", join("_auth", "=", base64("someone:hunter22")), "\n"],
  ["pypi_token", "", join("pypi", "-AgEIcHlwaS5vcmc", mixed(80)), ""],
  ["rubygems_key", "", join("rubygems", "_", hex(48)), ""],
  ["crates_token", "", join("ci", "o", mixed(32)), ""],
  ["docker_token", "", join("dckr", "_oat_", mixed(32)), ""],
  ["grafana_token", "", join("glsa", "_", mixed(32), "_", hex(8)), ""],
  ["sentry_token", "", join("sntr", "ys_", mixed(80)), ""],
  ["new_relic_key", "", join("NRA", "K-", mixed(27)), ""],
  ["postman_key", "", join("PMA", "K-", hex(24), "-", hex(34)), ""],
  ["atlassian_token", "", join("ATA", "TT3x", mixed(120)), ""],
  ["linear_token", "", join("lin", "_oauth_", mixed(64)), ""],
  ["notion_token", "", join("secret", "_", mixed(43)), ""],
  ["figma_token", "", join("fig", "d_", mixed(40)), ""],
  ["airtable_token", "", join("pa", "t", mixed(14), ".", hex(64)), ""],
  ["doppler_token", "", join("dp", ".pt.", mixed(43)), ""],
  ["pulumi_token", "", join("pul", "-", hex(40)), ""],
  ["onepassword_token", "", join("A3", "-ABC123-DEF456-GHI78-JKL90-MNO12-PQR34"), ""],
  ["aws_access_key_id", "", join("AKI", "A", mixed(16).toUpperCase()), ""],
  ["aws_secret_access_key", "aws_secret_access_key = ", mixed(40), "\n"],
  ["aws_session_token", "", join("IQoJ", "b3JpZ2lu", mixed(300)), ""],
  ["google_api_key", "https://maps.example/js?v=3&callback=", join("AIz", "a", mixed(35)), "&lang=de"],
  ["google_oauth_token", "", join("ya2", "9.", mixed(60)), ""],
  [
    "azure_connection_key",
    "DefaultEndpointsProtocol=https;AccountName=orders;AccountKey=",
    base64(mixed(64)),
    ";EndpointSuffix=core",
  ],
  ["azure_client_secret", "", join("abC", "8Q", "~", mixed(34)), ""],
  ["azure_api_key", "", join(mixed(52), "JQQ", "J99", mixed(26)), ""],
  ["cloudflare_token", "", join("cfu", "t_", mixed(40), hex(8)), ""],
  ["databricks_token", "", join("dap", "i", hex(32)), ""],
  ["digitalocean_token", "", join("do", "p_v1_", hex(64)), ""],
  ["fly_token", "", join("Fly", "V1 fm2_", mixed(60)), ""],
  ["heroku_token", "", join("HRK", "U-AA", mixed(58)), ""],
  ["planetscale_token", "", join("pscale", "_pw_", mixed(43)), ""],
  ["supabase_token", "", join("sb", "p_", hex(40)), ""],
  ["netlify_token", "", join("nf", "p_", mixed(36)), ""],
  ["tailscale_key", "", join("tskey", "-auth-", mixed(12), "-", mixed(32)), ""],
  ["vault_token", "", join("hv", "s.", mixed(95)), ""],
  ["terraform_token", "", join(mixed(14), ".atlas", "v1.", mixed(67)), ""],
  ["vercel_token", "", join("vc", "k_", mixed(56)), ""],
  ["slack_token", "", join("xox", "e.xoxp-1-", mixed(60)), ""],
  ["slack_webhook", "https://hooks.slack.com/services/", join("T", mixed(8), "/B", mixed(8), "/", mixed(24)), " ok"],
  ["discord_webhook", "https://discord.com/api/webhooks/123456789012345678/", mixed(68), " ok"],
  ["discord_token", "", join("MT", mixed(24), ".", mixed(6), ".", mixed(38)), ""],
  ["teams_webhook", "https://acme.webhook.office.com/webhookb2/", join(hex(32), "@", hex(32)), ""],
  ["telegram_token", "https://api.telegram.org/bot", join(digits(10), ":A", "A", mixed(33)), "/getMe"],
  ["sendgrid_key", "", join("S", "G.", mixed(22), ".", mixed(43)), ""],
  ["mailgun_key", "", join("ke", "y-", hex(32)), ""],
  ["mailchimp_key", "", join(hex(32), "-u", "s14"), ""],
  ["twilio_key", "", join("S", "K", hex(32)), ""],
  ["stripe_key", "", join("wh", "sec_", mixed(32)), ""],
  ["shopify_token", "", join("shp", "at_", hex(32)), ""],
  ["square_token", "", join("sq0", "atp-", mixed(22)), ""],
  ["private_key", "before\n", pem("ENCRYPTED "), "\nafter"],
  ["age_key", "", join("AGE-SECRET", "-KEY-1", mixed(58).toUpperCase()), ""],
  ["jwt", "the session ", jwt(), " expired"],
  ["url_credentials", "redis://", join(":", "s3cret", "@"), "cache:6379/0"],
  ["authorization", "curl -H 'Authorization: Bearer ", "abcdefgh", "' https://api.example"],
  ["bearer_token", "sent Bearer ", mixed(30), " to it"],
  ["basic_credentials", "sent Basic ", base64("someone:hunter22"), " to it"],
  ["cookie", "curl -H 'Cookie: ", "sid=abc; theme=dark", "' https://api.example"],
  ["command_password", "curl -s -u someone:", "hunter2", " https://api.example"],
];

test("every shape of the table has a case here", () => {
  expect(SHAPE_CASES.map(([id]) => id)).toEqual(SECRET_SHAPES.map((shape) => shape.id));
});

test.for(SHAPE_CASES)("%s: the secret goes, its surroundings stay", ([id, before, secret, after]) => {
  expect(redactor.text(before + secret + after)).toBe(`${before}[redacted:${id}]${after}`);
});

test.for(SHAPE_CASES)("%s: redacting twice is redacting once", ([, before, secret, after]) => {
  const once = redactor.text(before + secret + after);
  expect(redactor.text(once)).toBe(once);
});

const ASSIGNMENTS: readonly (readonly [text: string, redacted: string])[] = [
  ["deploy --token abc --force", "deploy --token [redacted] --force"],
  ["deploy --token=abc --force", "deploy --token=[redacted] --force"],
  ["deploy --api-key 'a b' x", "deploy --api-key '[redacted]' x"],
  ["API_KEY=abc make", "API_KEY=[redacted] make"],
  ['export DB_PASSWORD="a b\\"c" && run', 'export DB_PASSWORD="[redacted]" && run'],
  ["PGPASSWORD=a'b", "PGPASSWORD=[redacted]'b"],
  ['password="abc"def next', 'password="[redacted]"[redacted] next'],
  ['password="abc\nnext line', 'password="[redacted]\nnext line'],
  ["Server=db;User=me;Password=a,b;Timeout=5", "Server=db;User=me;Password=[redacted];Timeout=5"],
  ["https://api.example/v1?access_token=abc&page=2", "https://api.example/v1?access_token=[redacted]&page=2"],
  ["https://api.example/v1?page=2&sig=a%2Bb#top", "https://api.example/v1?page=2&sig=[redacted]"],
  ['{"user":"me","password":"hunter2","age":3}', '{"user":"me","password":"[redacted]","age":3}'],
  ['{"body":"{\\"token\\":\\"abc\\",\\"n\\":1}"}', '{"body":"{\\"token\\":\\"[redacted]\\",\\"n\\":1}"}'],
  ["client_secret: abc1\nregion: eu", "client_secret: [redacted]\nregion: eu"],
  ["password: correct", "password: [redacted]"],
  ['config["apiKey"] = "abc"', 'config["apiKey"] = "[redacted]"'],
  ["new Client({ apiKey: 'abc', region: 'eu' })", "new Client({ apiKey: '[redacted]', region: 'eu' })"],
  ["curl -H 'X-Api-Key: abc' https://api.example", "curl -H 'X-Api-Key: [redacted]' https://api.example"],
  ["login failed (password=abc1).", "login failed (password=[redacted])."],
  ["$env:GITHUB_TOKEN = 'abc'", "$env:GITHUB_TOKEN = '[redacted]'"],
  ["mysql -h db -phunter2 orders", "mysql -h db -p[redacted:command_password] orders"],
  ["docker login -u me -p hunter2 host", "docker login -u me -p [redacted:command_password] host"],
  ["redis-cli -h host -a hunter2 ping", "redis-cli -h host -a [redacted:command_password] ping"],
  ["password='it''s' AND x", "password='[redacted]''[redacted]' AND x"],
  ["export TOKEN='it'\\''s' && run", "export TOKEN='[redacted]'\\''[redacted]' && run"],
  ["sh -c 'run --token=\"abc\"' && echo 'done'", "sh -c 'run --token=\"[redacted]\"' && echo 'done'"],
  ['const apiKey: string = "abc";', 'const apiKey: string = "[redacted]";'],
  ["<user>me</user><password>a b</password>", "<user>me</user><password>[redacted]</password>"],
  ["run --extra db_password=x1", "run --extra db_password=[redacted]"],
  ["sshpass -p 'a1' ssh host", "sshpass -p '[redacted:command_password]' ssh host"],
];

test.for(ASSIGNMENTS)("%s: only the value goes", ([text, redacted]) => {
  expect(redactor.text(text)).toBe(redacted);
  expect(redactor.text(redacted)).toBe(redacted);
});

test("a known shape names the marker, also as the value of a secret's name", () => {
  const [sample] = SAMPLES["github"]?.["GITHUB_TOKEN"] ?? [];
  expect(redactor.text(`GITHUB_TOKEN=${sample?.text}`)).toBe("GITHUB_TOKEN=[redacted:github_token]");
});

test("a private key whose end was cut off is redacted to the last of its lines", () => {
  expect(redactor.text(`${pem().slice(0, 150)}`)).toBe("[redacted:private_key]");
});

const HARMLESS: readonly string[] = [
  "The quick brown fox jumps over the lazy dog. It says: nothing.",
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "3f786850e387550fdab836ed7e6dc881de23001b refs/heads/main",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "123e4567-e89b-12d3-a456-426614174000",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "gen_ai.usage.input_tokens: 12, gen_ai.usage.output_tokens: 3",
  "max_tokens=1024 token_type=bearer token_count=5",
  "the tokenizer: a byte-pair one; tokenizer=cl100k",
  "Token: the smallest unit of text",
  "password: please type it in",
  "/usr/local/lib/node_modules/secret-santa/index.js",
  "C:\\Users\\someone\\tokens\\input.txt",
  "PWD=/home/someone OLDPWD=/tmp",
  "function login(user: string, password: string): boolean",
  "const read = async (): Promise<Token> => { if (a < b) return next; }",
  "token = null; password=undefined",
  "docker run -e API_KEY=${API_KEY} image",
  "Authorization: Bearer ${TOKEN}",
  "http://localhost:3000/@scope/name?a=b",
  '{"url":"http://host:80","mail":"someone@example.org"}',
  "git clone https://github.com/owner/name.git && cd name",
  "ssh://git@github.com:22/owner/name.git",
  "time_to_first_token=0.2 cost_per_token=0.000003 eos_token=</s>",
  "risk-assessment-framework-implementation-2",
  "author: someone; key: value; monkey=banana",
  "2026-01-02T03:04:05.678Z INFO pid=42 done in 3.1s",
  "See the basic authentication and bearer token-authentication chapters.",
  "The -----BEGIN PRIVATE KEY----- line is what we look for.",
];

test.for(HARMLESS)("stays as it is: %s", (text) => {
  expect(redactor.text(text)).toBe(text);
});
