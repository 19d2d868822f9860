import fc from 'fast-check';
import { MASK, SecretMasker } from './secret-masker.js';

const word = fc
  .array(fc.constantFrom('a', 'b'), { minLength: 4, maxLength: 12 })
  .map((letters) => letters.join(''));
const text = fc.array(fc.constantFrom('a', 'b', ' '), { maxLength: 200 }).map((letters) => letters.join(''));

describe('SecretMasker', () => {
  it('leaves no secret, however many begin alike', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), text, (secrets, log) => {
        const masked = SecretMasker.of(secrets).mask(log);
        for (const secret of secrets) expect(masked).not.toContain(secret);
        if (secrets.every((secret) => !log.includes(secret))) expect(masked).toBe(log);
      }),
      { numRuns: 200 },
    );
  });

  it('masks the longest secret', () => {
    const masker = SecretMasker.of(['sesame', 'sesame-opens', 'sesame-opens-2-doors']);
    expect(masker.mask('sesame-opens-2-doors, sesame-opens-3, sesam')).toBe(`${MASK}, ${MASK}-3, sesam`);
  });

  it.each([
    ['<a href="x">&\'', '&lt;a href="x"&gt;&amp;\''],
    ['<a href="x">&\'', '&lt;a href=&quot;x&quot;&gt;&amp;&#39;'],
    ['<a href="x">&\'', '&lt;a href=&quot;x&quot;&gt;&amp;&#x27;'],
    ['<a href="x">&\'', '&lt;a href=&quot;x&quot;&gt;&amp;&apos;'],
    ['<a href="x">&\'', '&lt;a href=&#34;x&#34;&gt;&amp;&#39;'],
    ['schlüssel', Buffer.from('schlüssel').toString('hex')],
    ['hunter2!', Buffer.from('hunter2!').toString('hex').toUpperCase()],
    ['first line\nsecond line', Buffer.from('first line\nsecond line').toString('hex')],
  ])('masks %j as %s', (secret, form) => {
    expect(SecretMasker.of([secret]).mask(`before ${form} after`)).toBe(`before ${MASK} after`);
  });

  it('leaves numbers that are short secrets in hexadecimal', () => {
    const form = Buffer.from('hunter2').toString('hex');
    expect(SecretMasker.of(['hunter2']).mask(form)).toBe(form);
  });

  it('finds nothing where there are no secrets', () => {
    expect(SecretMasker.of([]).mask('sesame')).toBe('sesame');
  });

  it('gives others their turn while it is built', async () => {
    const secrets = Array.from({ length: 5 }, (_, n) =>
      Array.from({ length: 1000 }, (_line, line) => `secret-${(n * 1000 + line).toString(36)}`).join('\n'),
    );
    let turns = 0;
    const count = (): void => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const masker = await SecretMasker.build(secrets);
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(3);
    const log = 'a secret-2rs secret';
    expect(masker.mask(log)).toBe(SecretMasker.of(secrets).mask(log));
    expect(masker.mask(log)).toBe(`a ${MASK} secret`);
  });

  it('takes a bounded number of steps for many secrets that begin alike', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `aa${index.toString(36).padStart(6, 'a')}`);
    const masker = SecretMasker.of([lines.join('\n')]);
    const log = Buffer.alloc(16_384, 'a');
    let found = 0;
    for (let position = 0; position < log.length; position++) {
      if (masker.matchAt(log, position, log.length) > 0) found++;
    }
    expect(found).toBe(log.length - 7);
    expect(masker.sizeInBytes).toBeLessThan(8_000_000);
  });
});
