import type { StoreResponse } from '../../store-calls/store-session.js';
import { StoreRefusal } from '../../refusals/refusal.js';
import { APPLE_CALLS, type AppleCall } from '../apple-call.js';
import type { AppleMessage } from '../apple-resources.js';

/** Finds out what a refusal of App Store Connect means. */
export function findRefusal(call: AppleCall, { status }: StoreResponse): StoreRefusal {
  return new StoreRefusal(
    {
      code: 'store_refused',
      sentence: `App Store Connect refuses ${APPLE_CALLS[call]} (status ${status}).`,
      retry: 'never',
    },
    status,
    null,
  );
}

/** What the errors of a failed upload, or of its file, mean. */
export function uploadRefusal(_errors: readonly AppleMessage[]): StoreRefusal {
  return new StoreRefusal(
    { code: 'upload_failed', sentence: 'Apple refuses the build.', retry: 'never' },
    0,
    null,
  );
}
