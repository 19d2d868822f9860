import { StoreRefusal } from '../../refusals/refusal.js';
import { findRefusal } from './find-refusal.js';

/** The error of an answer that has another form than the API documents. */
export function unusable(status: number, text: string): StoreRefusal {
  const { storeMessage } = findRefusal('read', { status, headers: {}, text });
  return new StoreRefusal(
    {
      code: 'store_answer_unusable',
      sentence:
        'App Store Connect answered with something that its API does not document. Slipway tries again. If that goes on, ask the operator of this server to check its connection to App Store Connect, then submit again.',
      retry: 'again',
      does: 'back-off',
      afterSeconds: 5,
    },
    status,
    storeMessage,
  );
}
