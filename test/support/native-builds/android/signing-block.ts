import { testSigner } from './test-signer.js';
import { u32 } from './resource-chunks.js';

const IDS = { v2: 0x7109871a, v3: 0xf05368c0 } as const;
const MAGIC = Buffer.from('APK Sig Block 42');

/**
 * Puts a signing block into an apk. It has the certificate of the test's signer; the signature itself is empty, so no
 * device accepts it.
 */
export function withSigningBlock(apk: Buffer, schemes: readonly ('v2' | 'v3')[]): Buffer {
  const end = apk.lastIndexOf(Buffer.from('PK\x05\x06'));
  const directory = apk.readUInt32LE(end + 16);
  const pairs = schemes.map((scheme) => {
    const value = sized(sized(signerOf(scheme)));
    return Buffer.concat([u64(4 + value.length), u32(IDS[scheme]), value]);
  });
  const length = u64(Buffer.concat(pairs).length + 8 + MAGIC.length);
  const block = Buffer.concat([length, ...pairs, length, MAGIC]);
  const signed = Buffer.concat([apk.subarray(0, directory), block, apk.subarray(directory)]);
  signed.writeUInt32LE(directory + block.length, end + block.length + 16);
  return signed;
}

function signerOf(scheme: 'v2' | 'v3'): Buffer {
  const versions = scheme === 'v3' ? [u32(28), u32(0x7fffffff)] : [];
  const digests = sized(Buffer.alloc(0));
  const certificates = sized(sized(testSigner().der));
  const attributes = sized(Buffer.alloc(0));
  const signedData = Buffer.concat([digests, certificates, ...versions, attributes]);
  return Buffer.concat([sized(signedData), ...versions, sized(Buffer.alloc(0)), sized(Buffer.alloc(0))]);
}

function sized(bytes: Buffer): Buffer {
  return Buffer.concat([u32(bytes.length), bytes]);
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
