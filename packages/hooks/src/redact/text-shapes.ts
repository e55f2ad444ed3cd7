import type { SecretShape } from "./secret-shape.ts";

/** Secrets known by what stands around them, whoever issued them. */
export const TEXT_SHAPES: readonly SecretShape[] = [
  {
    id: "private_key",
    description: "PEM or PGP private key with its header, also escaped in JSON, and one whose end was cut off",
    pattern:
      /-----BEGIN ?[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[\s\S]){0,20000}-----END ?[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?=(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{24})[A-Za-z0-9+/=\s\\]{24,})/,
    hints: ["-----BEGIN"],
  },
  {
    id: "age_key",
    description: "age secret key",
    pattern: /AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}/,
    hints: ["AGE-SECRET-KEY-"],
  },
  {
    id: "jwt",
    description: "JSON Web Token, signed or encrypted",
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4096}\.[A-Za-z0-9_-]{0,16384}\.[A-Za-z0-9_.-]{4,}/,
    hints: ["eyJ"],
  },
  {
    id: "url_credentials",
    description: "User and password before the host of a URL or connection string",
    pattern: /:\/\/(?!\[redacted:url_credentials\])([^\s:/"'<>`\\]{0,256}:[^\s/"'<>`\\]{1,256}@)/,
    hints: ["://"],
    group: 1,
  },
  {
    id: "authorization",
    description: "The credential of an Authorization header",
    pattern:
      /authorization\\{0,7}["']?\s{0,4}[:=]\s{0,4}\\{0,7}["']?(?:(?:bearer|basic|token|digest|apikey|api-key|negotiate|bot|ssws)\s{1,4}|(?=[^\s"']{0,200}[0-9]))([^\s"'`,;\\$[{<][^\s"'`,;\\]{2,})/i,
    hints: ["authorization"],
    group: 1,
  },
  {
    id: "bearer_token",
    description: "A bearer token without its header's name",
    pattern: /(?<![A-Za-z])bearer(?:\s|%20){1,4}(?=[A-Za-z._~+/-]{0,64}[0-9])([A-Za-z0-9._~+/=-]{12,})/i,
    hints: ["bearer"],
    group: 1,
  },
  {
    id: "basic_credentials",
    description: "Basic credentials without their header's name",
    pattern: /(?<![A-Za-z])basic\s{1,4}([A-Za-z0-9+/]{6,512}={1,2})/i,
    hints: ["basic"],
    group: 1,
  },
  {
    id: "cookie",
    description: "The pairs of a Cookie or Set-Cookie header",
    pattern: /(?<![A-Za-z])cookie\s{0,4}:\s{0,4}([^\s"'`=;\\]{1,128}=[^\r\n"'`\\]{1,})/i,
    hints: ["cookie"],
    group: 1,
  },
  {
    id: "command_password",
    description: "The password given to curl -u, mysql -p, docker login -p, redis-cli -a or sshpass -p",
    pattern:
      /(?<![\w-])(?:curl(?![\w-])[^\r\n|;&]{0,400}?\s(?:-u|--user|--proxy-user)[ =]{0,4}["']?[^\s:"']{1,100}:|mysql(?:dump|admin)?(?![\w-])[^\r\n|;&]{0,400}?\s-p|docker\s{1,4}login(?![\w-])[^\r\n|;&]{0,400}?\s-p[ =]{0,4}|redis-cli(?![\w-])[^\r\n|;&]{0,400}?\s-a[ =]{0,4}|sshpass\s{1,4}-p\s{0,4})["']?([^\s"']{1,})/,
    hints: ["curl", "mysql", "docker", "redis-cli", "sshpass"],
    group: 1,
  },
];
