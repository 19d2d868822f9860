import { SecretMasker } from '../../common/secrets/secret-masker.js';
import { MaskStream } from './mask-stream.js';

const secrets = ['hunter2-and-more', 'short', 'grün-é-secret', '-----BEGIN\nline of a key\n-----END'];
const text =
  'a hunter2-and-more b\nshortshort, hunter2-and-mor!\n' +
  `Basic ${Buffer.from('user:hunter2-and-more').toString('base64')}\n` +
  'grün-é-secret\nline of a key\nthe end is hunter2-and-more';

function masked(chunks: readonly Buffer[]): string {
  const stream = new MaskStream(SecretMasker.of(secrets));
  const parts = chunks.map((chunk) => stream.push(chunk));
  return Buffer.concat([...parts, stream.end()]).toString();
}

const whole = masked([Buffer.from(text)]);

it('masks secrets in all their forms', () => {
  expect(whole).toBe(
    `a *** b\n******, hunter2-and-mor!\nBasic ${whole.split('Basic ')[1]?.split('\n')[0]}\n***\n***\nthe end is ***`,
  );
  expect(whole.split('Basic ')[1]).toContain('***');
});

it('masks the same, wherever chunks end', () => {
  const bytes = Buffer.from(text);
  expect(masked([...bytes].map((byte) => Buffer.from([byte])))).toBe(whole);
  for (let cut = 1; cut < bytes.length; cut++) {
    expect(masked([bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(whole);
  }
});

it('lets whole lines go on at once, and holds back less than the longest secret', () => {
  const masker = SecretMasker.of(secrets);
  const stream = new MaskStream(masker);
  expect(stream.push(Buffer.from('one\ntwo\n')).toString()).toBe('one\ntwo\n');
  const long = 'x'.repeat(100_000);
  expect(stream.push(Buffer.from(long)).length).toBe(long.length - masker.lookahead);
});
