import { openPromise } from 'yauzl';

/** The block with the certificate, which every signature of a JAR has. Java ignores case. */
const SIGNATURE_BLOCK = /^META-INF\/[^/]+\.(RSA|DSA|EC)$/i;

/**
 * Whether a file has the signature of a JAR, as every signed aab has. The signature itself is not verified.
 *
 * @returns `false` also for what is no zip
 */
export async function hasJarSignature(path: string): Promise<boolean> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => null);
  if (zip === null) return false;
  try {
    for await (const { fileName } of zip.eachEntry()) if (SIGNATURE_BLOCK.test(fileName)) return true;
    return false;
  } catch {
    return false;
  } finally {
    zip.close();
  }
}
