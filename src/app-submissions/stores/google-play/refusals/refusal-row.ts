import type { Refusal } from '../refusal.js';

/** How a refusal of Google Play is recognized, and what it means. */
export interface RefusalRow extends Omit<Refusal, 'sentence'> {
  /** Of HTTP; absent: any, because Google has changed them over the years. */
  readonly status?: number;
  /** One of these is in the answer, ignoring case. Absent: the status is enough. */
  readonly fragments?: readonly string[];
  /** This is in the answer as well, ignoring case. */
  readonly also?: string;
  /** A function takes what the store said, and puts parts of it into the sentence. */
  readonly sentence: string | ((storeMessage: string) => string);
}

/** Pages where the user acts. The address of one app contains numbers that the API does not have. */
export const PLAY_CONSOLE = 'https://play.google.com/console';
export const PLAY_USERS = 'https://play.google.com/console/users-and-permissions';
export const CLOUD_API = 'https://console.cloud.google.com/apis/library/androidpublisher.googleapis.com';
export const CLOUD_KEYS = 'https://console.cloud.google.com/iam-admin/serviceaccounts';

/** What the first group of the pattern finds, at most 80 characters of it. */
export function partOf(text: string, pattern: RegExp): string | null {
  return pattern.exec(text)?.[1]?.slice(0, 80) ?? null;
}
