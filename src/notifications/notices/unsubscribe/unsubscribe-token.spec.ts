import { randomBytes, randomUUID } from 'node:crypto';
import { UnsubscribeTokens } from './unsubscribe-token.js';

const key = (): string => randomBytes(32).toString('base64');
const userId = randomUUID();

it('knows the user and the kind of mails', () => {
  const tokens = new UnsubscribeTokens([key()]);
  const token = tokens.make({ userId, kind: 'health' });
  expect(tokens.read(token)).toEqual({ userId, kind: 'health' });
  expect(token).toBe(encodeURIComponent(token));
});

it('works after the key was changed, until the old one is removed', () => {
  const [old, current] = [key(), key()];
  const token = new UnsubscribeTokens([old]).make({ userId, kind: 'approvals' });
  expect(new UnsubscribeTokens([current, old]).read(token)).toEqual({ userId, kind: 'approvals' });
  expect(new UnsubscribeTokens([current]).read(token)).toBeNull();
});

it('is refused when anything in it is changed', () => {
  const tokens = new UnsubscribeTokens([key()]);
  const token = tokens.make({ userId, kind: 'health' });
  const [, , mac = ''] = token.split('.');
  const changed = [
    '',
    mac,
    `${token}A`,
    ` ${token}`,
    token.slice(0, -1),
    token.replace('health', 'approvals'),
    token.replace('health', 'nothing'),
    token.replace(userId, randomUUID()),
    `${userId}.health.${'A'.repeat(22)}`,
    `${'-'.repeat(36)}.health.${mac}`,
  ];
  expect(changed.map((each) => tokens.read(each))).toEqual(changed.map(() => null));
});
