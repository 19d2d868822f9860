import { createHash, generateKeyPairSync, type KeyObject, privateEncrypt, sign } from 'node:crypto';
import fc from 'fast-check';
import { SignatureVerifier } from './signatures.js';

const keyPair = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits });
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const first = keyPair(2048);
const second = keyPair(3072);
const content = Buffer.from('<html>');
const sha256 = createHash('sha256').update(content).digest('hex');
const signed = (key: KeyObject, bytes = content, algorithm = 'sha256') => ({
  sha256,
  signature: sign(algorithm, bytes, key).toString('base64'),
});
const isValid = async (keys: KeyObject[], signature: string | null) =>
  (await new SignatureVerifier(keys.map(pem)).findInvalid([{ sha256, signature }])).length === 0;

describe('SignatureVerifier', () => {
  it('takes a signature by any of the keys, and what is not signed', async () => {
    const verifier = new SignatureVerifier([first.publicKey, second.publicKey].map(pem));
    const files = [first, second, second, first].map(({ privateKey }) => signed(privateKey));
    expect(await verifier.findInvalid([...files, { sha256, signature: null }])).toEqual([]);
  });

  it('names each file that no key verifies', async () => {
    const files = [
      { href: 'a', ...signed(first.privateKey) },
      { href: 'b', ...signed(second.privateKey) },
    ];
    expect(await new SignatureVerifier([pem(first.publicKey)]).findInvalid(files)).toEqual([files[1]]);
    expect(await new SignatureVerifier([]).findInvalid(files)).toEqual(files);
  });

  it.each<[string, () => string]>([
    ['of other bytes', () => signed(first.privateKey, Buffer.from('other')).signature],
    ['of another hash', () => signed(first.privateKey, content, 'sha512').signature],
    [
      'with another padding',
      () => sign('sha256', content, { key: first.privateKey, padding: 6 }).toString('base64'),
    ],
    [
      'of the bare hash',
      () => privateEncrypt(first.privateKey, Buffer.from(sha256, 'hex')).toString('base64'),
    ],
    [
      'that is cut off',
      () => Buffer.from(signed(first.privateKey).signature, 'base64').subarray(1).toString('base64'),
    ],
    [
      'that is longer',
      () =>
        Buffer.concat([Buffer.from(signed(first.privateKey).signature, 'base64'), Buffer.alloc(1)]).toString(
          'base64',
        ),
    ],
    ['that is zero', () => Buffer.alloc(256).toString('base64')],
    ['that is no signature', () => 'AAAA'],
  ])('refuses a signature %s', async (_case, make) => {
    expect(await isValid([first.publicKey], make())).toBe(false);
  });

  it('refuses a signature without the zero that it begins with', async () => {
    for (let number = 0; ; number++) {
      const bytes = Buffer.from(`<html>${number}`);
      const file = signed(first.privateKey, bytes);
      const signature = Buffer.from(file.signature, 'base64');
      // One of 256.
      if (signature[0] !== 0) continue;
      const verifier = new SignatureVerifier([pem(first.publicKey)]);
      const whole = { sha256: createHash('sha256').update(bytes).digest('hex'), signature: file.signature };
      expect(await verifier.findInvalid([whole])).toEqual([]);
      const cut = { ...whole, signature: signature.subarray(1).toString('base64') };
      expect(await verifier.findInvalid([cut])).toEqual([cut]);
      return;
    }
  });

  it('refuses a signature with any bit changed', async () => {
    const { signature } = signed(first.privateKey);
    await fc.assert(
      fc.asyncProperty(fc.nat(2047), async (bit) => {
        const bytes = Buffer.from(signature, 'base64');
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(await isValid([first.publicKey], bytes.toString('base64'))).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});
