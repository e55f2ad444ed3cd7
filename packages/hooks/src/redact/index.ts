export { SECRET_KEY_NAMES, type SecretKeyName } from "./key-names.ts";
export { REDACTION_FAILED, redactSafely } from "./redact-safely.ts";
export { createRedactor, type Redactor, type RedactorOptions } from "./redactor.ts";
export { SECRET_SHAPES, type SecretShape } from "./shapes.ts";
