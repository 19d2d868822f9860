import { open } from 'node:fs/promises';
import { openPromise } from 'yauzl';
import { readZipName } from '../../../../common/archives/zip-name.js';

/** The block with the certificate, which every signature of a JAR has. Java ignores case. */
const SIGNATURE_BLOCK = /^META-INF\/[^/]+\.(RSA|DSA|EC)$/i;
/** What the block with signatures of an apk ends with, before the directory of the zip. */
const SIGNING_BLOCK_END = 'APK Sig Block 42';
const DIRECTORY_END = Buffer.from('PK\x05\x06');
/** Of the end of a zip, with the longest comment. */
const MAX_END_BYTES = 22 + 65_535;

/**
 * Whether an apk or aab has a signature: that of a JAR, as every signed aab has, or the block of newer ones of apks. The
 * signature itself is not verified.
 *
 * @returns `false` also for what is no zip
 */
export async function hasSignature(path: string): Promise<boolean> {
  return (await hasSigningBlock(path)) || (await hasJarSignature(path));
}

async function hasJarSignature(path: string): Promise<boolean> {
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(() => null);
  if (zip === null) return false;
  try {
    for await (const entry of zip.eachEntry()) if (SIGNATURE_BLOCK.test(readZipName(entry).path)) return true;
    return false;
  } catch {
    return false;
  } finally {
    zip.close();
  }
}

async function hasSigningBlock(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return false;
  try {
    const { size } = await file.stat();
    const read = async (position: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const length = Math.min(size, MAX_END_BYTES);
    const tail = await read(size - length, length);
    const end = tail.lastIndexOf(DIRECTORY_END);
    if (end === -1 || end + 20 > tail.length) return false;
    const directory = tail.readUInt32LE(end + 16);
    const start = directory - SIGNING_BLOCK_END.length;
    return (
      start >= 0 && (await read(start, SIGNING_BLOCK_END.length)).toString('latin1') === SIGNING_BLOCK_END
    );
  } finally {
    await file.close();
  }
}
