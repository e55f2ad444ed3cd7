import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, REDACTION_FAILED, redactSafely, type Redactor } from "../src/redact/index.ts";
import { join, mixed } from "./redact-samples.ts";

const redactor = createRedactor();
const TOKEN = join("gh", "p_", mixed(36));

const SECRET_KEYS: readonly string[] = `
  password,dbPassword,DB_PASSWORD,user-passwd,passphrase,PGPASSWORD,new_password_2,secret,clientSecret,
  client_secret,AWS_SECRET_ACCESS_KEY,awsSecretAccessKey,secret_id,token,accessToken,access-token,
  GITHUB_TOKEN,sessionToken,X-Amz-Security-Token,csrftoken,api_key,apiKey,apikey,X-Api-Key,x-goog-api-key,
  OPENAI_API_KEY,Api Key,api_keys,authorization,Authorization,Proxy-Authorization,
  http.request.header.authorization,auth,cookie,Set-Cookie,cookies,private_key,privateKey,accessKey,
  signing_key,ssh-key,credential,credentials,awsCredentials,connectionString,webhook_url,password_hash,
  TOKEN_BASE64`
  .split(",")
  .map((key) => key.trim());

test.for(SECRET_KEYS)("the value under %s is replaced whole", (key) => {
  expect(redactor.value({ [key]: "anything" })).toEqual({ [key]: "[redacted]" });
  expect(redactor.value({ [key]: ["a", { b: 1 }] })).toEqual({ [key]: "[redacted]" });
  expect(redactor.value({ [key]: 1234 })).toEqual({ [key]: "[redacted]" });
});

const HARMLESS_KEYS: readonly string[] = `
  gen_ai.usage.input_tokens,gen_ai.usage.output_tokens,inputTokens,max_tokens,maxOutputTokens,tokens,
  token_type,tokenType,gen_ai.token.type,token_count,tokenizer,time_to_first_token,cost_per_token,eos_token,
  session_id,session.id,tool_call_id,author,authority,key,keys,monkey,public_key,passed,bypass,compass,
  secretary,cookie_policy,cookieBanner,api_key_id,password_length`
  .split(",")
  .map((key) => key.trim());

test.for(HARMLESS_KEYS)("the value under %s stays", (key) => {
  const value = { [key]: "anything", count: 12 };
  expect(redactor.value(value)).toBe(value);
});

test("booleans, null and the empty string under a secret's name tell nothing, and stay", () => {
  const value = { password: null, token: true, secret: "", api_key: undefined };
  expect(redactor.value(value)).toBe(value);
});

test("a header or variable given as name and value is judged by its name", () => {
  expect(
    redactor.value([
      { name: "Authorization", value: "x" },
      { key: "DB_PASSWORD", value: "x" },
    ]),
  ).toEqual([
    { name: "Authorization", value: "[redacted]" },
    { key: "DB_PASSWORD", value: "[redacted]" },
  ]);
  const harmless = [
    { name: "Accept", value: "x" },
    { key: "team", value: "x" },
  ];
  expect(redactor.value(harmless)).toBe(harmless);
});

test("in a list of arguments, the one behind a secret's flag is replaced whole", () => {
  expect(redactor.value(["deploy", "--api-key", "x", "--token", "--force", "-password", "y"])).toEqual(
    "deploy --api-key [redacted] --token --force -password [redacted]".split(" "),
  );
  const words = ["token", "password"];
  expect(redactor.value(words)).toBe(words);
});

test("shapes are replaced in strings at any depth, and in keys", () => {
  const value = { a: [{ b: ["x", `use ${TOKEN}`] }], [TOKEN]: 1 };
  expect(redactor.value(value)).toEqual({
    a: [{ b: ["x", "use [redacted:github_token]"] }],
    "[redacted:github_token]": 1,
  });
});

test("keys that become equal are numbered: no value is lost", () => {
  const value = { [TOKEN]: 1, [`${TOKEN}x`]: 2, [`${TOKEN}y`]: 3 };
  expect(redactor.value(value)).toEqual({
    "[redacted:github_token]": 1,
    "[redacted:github_token] 2": 2,
    "[redacted:github_token] 3": 3,
  });
});

test("nothing is mutated, and what did not change keeps its reference", () => {
  const same = Object.freeze({ deep: Object.freeze(["text", 1, null]) });
  const value = Object.freeze({ same, password: "x", list: Object.freeze([same, TOKEN]) });
  const redacted = redactor.value(value);
  expect(redacted).toEqual({ same, password: "[redacted]", list: [same, "[redacted:github_token]"] });
  expect(redacted.same).toBe(same);
  expect(redacted.list[0]).toBe(same);
  expect(value.password).toBe("x");
});

test("a value without secrets is returned as the same reference", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (generated) => {
      const once = redactor.value(generated);
      expect(redactor.value(once)).toBe(once);
    }),
  );
});

test("NaN and undefined count as unchanged", () => {
  const value = { ratio: Number.NaN, list: [Number.NaN, undefined] };
  expect(redactor.value(value)).toBe(value);
});

test("an own key called __proto__ stays an own key and pollutes nothing", () => {
  const value: unknown = JSON.parse('{"__proto__": {"admin": true}, "password": "x"}');
  const redacted = redactor.value(value);
  expect(JSON.stringify(redacted)).toBe('{"__proto__":{"admin":true},"password":"[redacted]"}');
  expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
  expect(Reflect.get({}, "admin")).toBeUndefined();
});

test("what has a toJSON is judged by what that returns", () => {
  const date = new Date(0);
  const url = new URL(join("https://writer", ":", "hunter2", "@host.example/"));
  expect(redactor.value({ date })).toEqual({ date });
  expect(redactor.value({ date }).date).toBe(date);
  expect(redactor.value<unknown>([url])).toEqual(["https://[redacted:url_credentials]host.example/"]);
});

test.for([undefined, null, 0, 1n, true, "text", Number.NaN])("the primitive %s comes back as it is", (value) => {
  expect(redactor.value(value)).toBe(value);
});

test("redactSafely gives what the redactor gives", () => {
  expect(redactSafely(redactor, { password: "x" })).toEqual({ password: "[redacted]" });
});

test("a redactor that throws leaks nothing and throws nothing", () => {
  const broken: Redactor = {
    text: (text) => text,
    value: () => {
      throw new Error("broken");
    },
  };
  expect(redactSafely(broken, { password: "x" })).toBe(REDACTION_FAILED);
  expect(redactSafely(broken, "secret text")).toBe("[redaction failed]");
});

test("redactSafely holds for a value with a cycle and for one whose toJSON throws", () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  expect(redactSafely(redactor, cyclic)).toBe("[redaction failed]");
  const hostile = {
    toJSON(): never {
      throw new Error("hostile");
    },
  };
  expect(redactSafely<unknown>(redactor, { hostile })).toBe("[redaction failed]");
});
