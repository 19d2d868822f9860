import { refusalOfRow } from '../../calls/refusals/refusal-row.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import { toChangeRefusal } from './change-refusals.js';
import { REFUSALS } from './find-refusal.js';

/** What the file of a build gets, which a change does not send. */
const OF_FILES = /^(artifact_|play_signing|target_sdk|version_code_used|declaration_)/;

it.each(REFUSALS.filter(({ code }) => !OF_FILES.test(code)).map((row) => [row.code, row] as const))(
  'says in its sentence about %s nothing about another submission',
  (_, row) => {
    const { message } = toChangeRefusal(new StoreRefusal(refusalOfRow(row, ''), 400, null));
    expect(message).not.toMatch(/\bsubmit (it )?again|cancelRunningReview|of the destination to draft/i);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message.length).toBeLessThanOrEqual(300);
  },
);

it('keeps what the store said', () => {
  const refusal = { code: 'x', sentence: 'Settle it, then submit again.', retry: 'never' } as const;
  expect(toChangeRefusal(new StoreRefusal(refusal, 403, 'No.'))).toMatchObject({
    message: 'Settle it, then try again.',
    status: 403,
    storeMessage: 'No.',
  });
});
