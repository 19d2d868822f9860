import { SecretMasker } from '../../common/secrets/secret-masker.js';
import { MaskStream } from './job-log.js';

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

it('lets whole lines go on at once, and holds back a bounded part of those without an end', () => {
  const masker = SecretMasker.of(secrets);
  const stream = new MaskStream(masker);
  expect(stream.push(Buffer.from('one\ntwo\nthree')).toString()).toBe('one\ntwo\n');
  let length = 'three'.length;
  for (let count = 0; count < 50; count++) {
    length += 10_000 - stream.push(Buffer.from('x'.repeat(10_000))).length;
    expect(length).toBeLessThan(200_000);
  }
  expect(stream.end().length).toBe(length);
});

it('keeps bytes, and not the chunks in which they arrive', () => {
  const stream = new MaskStream(SecretMasker.of(secrets));
  for (const byte of Buffer.from('a hunter2-and-more b')) {
    const chunk = Buffer.from([byte]);
    stream.push(chunk);
    chunk.fill('x');
  }
  expect(stream.end().toString()).toBe('a *** b');
});

it('masks what colors and carriage returns divide', () => {
  expect(masked([Buffer.from('a hun\x1b[31mter2\x1b[0m-and\r-more b\n')])).toBe('a *** b\n');
});
