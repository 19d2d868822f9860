import type { ArtifactSigner } from '../artifact-facts.js';
import type { ArtifactZip } from '../artifact-zip.js';
import { describeCertificate } from './describe-certificate.js';

/** The blocks of the schemes, the one that counts first. */
const SCHEMES = [
  ['v3', 0xf05368c0],
  ['v2', 0x7109871a],
] as const;
const MAGIC = 'APK Sig Block 42';
/** The size of the block, and the magic. */
const FOOTER_BYTES = 24;
/** Blocks have a few kilobytes; stores add to them. */
const MAX_BLOCK_BYTES = 4 * 1024 * 1024;

/**
 * Who signed an apk by the schemes v2 and v3: the certificate is in a block before the list of entries. See
 * https://source.android.com/docs/security/features/apksigning/v2
 *
 * @returns `null`: the apk has no such block, or none that can be read
 */
export async function findBlockSigner(zip: ArtifactZip): Promise<ArtifactSigner | null> {
  try {
    const pairs = await readPairs(zip);
    for (const [scheme, id] of SCHEMES) {
      const value = pairs.get(id);
      if (value === undefined) continue;
      return {
        scheme,
        ...describeCertificate(certificateOf(value)),
        teamId: null,
        profileType: null,
        profileBundleId: null,
        deviceCount: null,
      };
    }
    return null;
  } catch {
    return null;
  }
}

/** @returns the values of the block by their ids */
async function readPairs(zip: ArtifactZip): Promise<Map<number, Buffer>> {
  const pairs = new Map<number, Buffer>();
  const end = zip.directoryOffset;
  if (end < FOOTER_BYTES + 8) return pairs;
  const footer = await zip.bytes(end - FOOTER_BYTES, FOOTER_BYTES);
  const length = Number(footer.readBigUInt64LE(0));
  if (footer.toString('latin1', 8) !== MAGIC || length > MAX_BLOCK_BYTES || length + 8 > end) return pairs;
  const block = await zip.bytes(end - length, length - FOOTER_BYTES);
  for (let at = 0; at < block.length;) {
    const size = Number(block.readBigUInt64LE(at));
    if (size < 4 || at + 8 + size > block.length) break;
    pairs.set(block.readUInt32LE(at + 8), block.subarray(at + 12, at + 8 + size));
    at += 8 + size;
  }
  return pairs;
}

/** The first certificate of the first signer. @throws RangeError */
function certificateOf(value: Buffer): Buffer {
  const signer = sized(sized(value));
  const signedData = sized(signer);
  const digests = sized(signedData);
  return sized(sized(signedData.subarray(4 + digests.length)));
}

/** What follows its length. @throws RangeError */
function sized(bytes: Buffer): Buffer {
  const length = bytes.readUInt32LE(0);
  if (length > bytes.length - 4) throw new RangeError('It ends too late.');
  return bytes.subarray(4, 4 + length);
}
