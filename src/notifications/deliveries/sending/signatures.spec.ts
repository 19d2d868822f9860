import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { contractSignature, standardHeaders } from './signatures.js';

const body = '{"event":"job_created","data":{"name":"Straße"}}';
const message = { id: '0190a1b2-0000-7000-8000-000000000001', at: new Date(), body };
const generated = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

it('is accepted by the official verifier for a generated secret', () => {
  expect(new StandardWebhook(generated).verify(body, standardHeaders([generated], message))).toEqual(
    JSON.parse(body),
  );
});

it.each(['a secret of a person', 'Straße und €', 'whsec_ is no prefix here', 'dGVzdA=='])(
  'is accepted by the official verifier for the text %p',
  (secret) => {
    const verifier = new StandardWebhook(Buffer.from(secret), { format: 'raw' });
    expect(() => verifier.verify(body, standardHeaders([secret], message))).not.toThrow();
  },
);

it('has a signature for each valid secret, the current one first', () => {
  const headers = standardHeaders([generated, 'the old secret'], message);
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  for (const verifier of [
    new StandardWebhook(generated),
    new StandardWebhook('the old secret', { format: 'raw' }),
  ]) {
    expect(() => verifier.verify(body, headers)).not.toThrow();
  }
  expect(() => new StandardWebhook('another', { format: 'raw' }).verify(body, headers)).toThrow(
    'No matching signature found',
  );
});

it('is the HMAC of the body with the text of the secret besides', () => {
  const expected = createHmac('sha256', generated).update(Buffer.from(body)).digest('hex');
  expect(contractSignature(generated, body)).toBe(`sha256=${expected}`);
});

it('only identifies the message without a secret', () => {
  expect(Object.keys(standardHeaders([], message))).toEqual(['webhook-id', 'webhook-timestamp']);
});
