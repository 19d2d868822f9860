import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { hashToken } from '../../common/access/api-token.js';
import { LeaseTokens } from './lease-token.js';

const [key, other] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const content = { leaseId: uuid(), jobId: uuid() };

it('makes the same token of the same lease, and reads it', () => {
  const { token, hash } = new LeaseTokens([key]).make(content);
  expect(new LeaseTokens([key]).make(content)).toEqual({ token, hash });
  expect(token).toMatch(/^slj_[\w-]{86}$/);
  expect(hash).toBe(hashToken(token));
  expect(new LeaseTokens([key]).read(token)).toEqual({ ...content, isGenuine: true });
});

it('knows tokens of older keys, and none of others', () => {
  const { token } = new LeaseTokens([key]).make(content);
  expect(new LeaseTokens([other, key]).read(token)).toEqual({ ...content, isGenuine: true });
  expect(new LeaseTokens([other]).read(token)).toEqual({ ...content, isGenuine: false });
});

it.each(['', 'slj_', 'ca_abc', `slj_${'A'.repeat(85)}`, `slj_${'A'.repeat(87)}`, `slj_${'!'.repeat(86)}`])(
  'refuses %p',
  (text) => {
    expect(new LeaseTokens([key]).read(text)).toBeNull();
  },
);
