import type { RateLimitConfig } from '../config/groups/rate-limit-config.js';

/** How long calls are counted together, in seconds. */
export const WINDOW_SECONDS = 60;

/** Calls a minute of a program that asks every three seconds whether its sign-in was approved. */
const POLLS_OF_ONE_SIGN_IN = 20;

/** What is counted together; also the name in the headers. */
export type RateLimitPolicy = 'token' | 'address' | 'sign-in' | 'sign-in-polling' | 'runner' | 'job';

/** Calls that a policy admits in one window; 0: any number. */
export function quotaOf(policy: RateLimitPolicy, config: RateLimitConfig): number {
  switch (policy) {
    case 'token':
      return config.token;
    case 'address':
      return config.address;
    case 'sign-in':
      return config.signIn;
    case 'sign-in-polling':
      return config.signIn * POLLS_OF_ONE_SIGN_IN;
    case 'runner':
    case 'job':
      return config.runner;
  }
}
