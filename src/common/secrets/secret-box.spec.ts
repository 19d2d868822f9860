import fc from 'fast-check';
import { SecretBox } from './secret-box.js';
import { anyCharacter } from '../../../test/support/any-character.js';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
/** In words of our own or of OpenSSL. */
const refused = /not sealed|not known|unable to authenticate/;
const box = new SecretBox([key(1)]);

it('opens what it has sealed, and never seals twice alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string(), (secret, context) => {
      const sealed = box.seal(secret, context);
      expect(box.open(sealed, context)).toBe(secret);
      expect(box.seal(secret, context)).not.toBe(sealed);
    }),
  );
});

it('does not open what belongs elsewhere', () => {
  expect(() => box.open(box.seal('secret', 'a'), 'b')).toThrow(refused);
});

it('does not open a text of which any character was changed or lost', () => {
  const sealed = box.seal('secret', 'a');
  for (let index = 0; index < sealed.length - 1; index++) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
    expect(() => box.open(changed, 'a')).toThrow(refused);
    expect(() => box.open(sealed.slice(0, index), 'a')).toThrow(refused);
  }
});

it('opens what was sealed under an older key, and seals under the newer one', () => {
  const sealed = box.seal('secret', 'a');
  const rotated = new SecretBox([key(2), key(1)]);
  expect(rotated.open(sealed, 'a')).toBe('secret');
  expect(() => new SecretBox([key(2)]).open(sealed, 'a')).toThrow('not known');
  expect(new SecretBox([key(2)]).open(rotated.seal('secret', 'a'), 'a')).toBe('secret');
});

it('recognizes by the beginning of a sealed text whether it is sealed under the newest key', () => {
  const rotated = new SecretBox([key(2), key(1), key(2)]);
  expect(rotated.seal('secret', 'a').startsWith(rotated.currentPrefix)).toBe(true);
  expect(box.seal('secret', 'a').startsWith(rotated.currentPrefix)).toBe(false);
});
