import { createHash } from 'node:crypto';
import { signedMessage, testSigner } from './test-signer.ts';

/** The files of `META-INF` that sign some entries, as `jarsigner` writes them. */
export function jarSignature(entries: Readonly<Record<string, Buffer>>): Record<string, Buffer> {
  const sections = Object.entries(entries).map(
    ([path, bytes]) => [path, `Name: ${path}\r\nSHA-256-Digest: ${digest(bytes)}\r\n\r\n`] as const,
  );
  const manifest = `Manifest-Version: 1.0\r\n\r\n${sections.map(([, section]) => section).join('')}`;
  const signed = sections.map(
    ([path, section]) => `Name: ${path}\r\nSHA-256-Digest: ${digest(section)}\r\n\r\n`,
  );
  const file = Buffer.from(
    `Signature-Version: 1.0\r\nSHA-256-Digest-Manifest: ${digest(manifest)}\r\n\r\n${signed.join('')}`,
  );
  return {
    'META-INF/MANIFEST.MF': Buffer.from(manifest),
    'META-INF/UPLOAD.SF': file,
    'META-INF/UPLOAD.RSA': signedMessage(file, testSigner(), true),
  };
}

function digest(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('base64');
}
