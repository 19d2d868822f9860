import { decisionMessage, rejectionMessage } from './decision-message.js';

it('says who has decided, and for whom the job waits still', () => {
  expect(decisionMessage({ kind: 'approved', missing: 2 }, 'Ada Lovelace')).toBe(
    'Ada Lovelace has approved the deployment. It waits for the approval of 2 people more.',
  );
  expect(decisionMessage({ kind: 'approved', missing: 0 }, 'Ada Lovelace')).toBe(
    'Ada Lovelace has approved the deployment.',
  );
  expect(decisionMessage({ kind: 'approval_withdrawn', missing: 1 }, null)).toBe(
    'A user has withdrawn an approval. It waits for the approval of 1 person more.',
  );
});

it('says why it was rejected, on one line', () => {
  expect(rejectionMessage(null)).toBe('A user has rejected the deployment.');
  expect(rejectionMessage(' \n ')).toBe('A user has rejected the deployment.');
  expect(rejectionMessage('The checkout\n is broken.')).toBe(
    'A user has rejected the deployment: The checkout is broken.',
  );
  expect(rejectionMessage('x'.repeat(1000))).toBe(`A user has rejected the deployment: ${'x'.repeat(300)}…`);
});
