import { createHash, timingSafeEqual } from "node:crypto";

import { isLoopback } from "./options.ts";

/** A page of the web whose name was pointed at this machine comes with that name as its host. */
export function isAllowedHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = host.startsWith("[") ? host.slice(1).split("]")[0] : host.split(":")[0];
  return isLoopback(name ?? "");
}

/** In the same time whatever was sent. */
export function hasToken(authorization: string | undefined, token: string): boolean {
  const sent = /^bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(sent), digest(token));
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
