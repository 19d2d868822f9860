import { randomBytes } from 'node:crypto';
import { checksum } from './api-token.js';

/** What a session is for: a program that was signed in by a code, or a browser that carries a cookie. */
export const sessionKinds = ['device', 'browser'] as const;
export type SessionKind = (typeof sessionKinds)[number];

/** The prefix distinguishes the two kinds from each other and from API tokens. */
const prefixes: Readonly<Record<SessionKind, string>> = { device: 'ses_', browser: 'web_' };
const pattern = /^(?:ses|web)_[0-9a-f]{48}$/;

/** Makes a new session token: the prefix, 160 random bits and a checksum, like an API token. */
export function generateSessionToken(kind: SessionKind): string {
  const body = prefixes[kind] + randomBytes(20).toString('hex');
  return body + checksum(body);
}

/** Whether the text has the form of a session token of this kind. Says nothing about its validity. */
export function isSessionToken(kind: SessionKind, text: string): boolean {
  return text.startsWith(prefixes[kind]) && pattern.test(text) && text.endsWith(checksum(text.slice(0, -8)));
}
