import { AppError } from '../../../common/errors/app-error.js';

/** Seconds after which a request that waits may have ended. */
const RETRY_AFTER = 5;

/** 429: as many requests wait for events as may. */
export class TooManyReadersError extends AppError {
  override readonly headers: Readonly<Record<string, string>> = { 'Retry-After': String(RETRY_AFTER) };

  /** @param whose whose requests they are, such as `the organization` */
  constructor(limit: number, whose: string) {
    super(
      `${limit} requests of ${whose} wait for events already. Try again in ${RETRY_AFTER} seconds, or read without wait.`,
      'rate_limited',
    );
  }
}
