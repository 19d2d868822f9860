import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../../refusals/refusal.js';
import { CONNECT_KEYS } from './apple-pages.js';

/** Seconds by which two clocks may differ. */
const MAX_DIFFERENCE = 60;

/** Why a token is refused: the clock of this server, when Apple's is known and differs; else clock or key. */
export function signInRefusal(headers: IncomingHttpHeaders, now: Date): Refusal {
  const appleTime = Date.parse(headers.date ?? '');
  const seconds = Math.round((now.getTime() - appleTime) / 1000);
  return {
    code: Math.abs(seconds) > MAX_DIFFERENCE ? 'store_clock_wrong' : 'store_key_refused',
    sentence: Math.abs(seconds) > MAX_DIFFERENCE ? aboutClock(seconds) : CLOCK_AND_KEY,
    retry: 'again',
    does: 'new-token',
    link: CONNECT_KEYS,
  };
}

const CLOCK_AND_KEY =
  "App Store Connect does not accept the sign-in. Check this server's clock and the key: whether it is revoked, and whether appleApiKeyId and appleIssuerId of the destination belong to it; then submit again.";

function aboutClock(seconds: number): string {
  const side = seconds > 0 ? 'ahead of' : 'behind';
  return `App Store Connect does not accept the sign-in. This server's clock is ${durationOf(Math.abs(seconds))} ${side} Apple's: ask its operator to set it. Check the key as well; then submit again.`;
}

function durationOf(seconds: number): string {
  const units: [string, number][] = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  const [name, size] = units.find(([, one]) => seconds >= 2 * one) ?? ['second', 1];
  return `${Math.round(seconds / size).toLocaleString('en')} ${name}s`;
}
