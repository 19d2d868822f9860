import { createHash, X509Certificate } from 'node:crypto';
import { types } from 'node:util';
import type { ArtifactSigner } from '../artifact-facts.js';
import { cleanText } from '../clean-text.js';

/** What is shown of a certificate. */
export type DescribedCertificate = Pick<ArtifactSigner, 'subject' | 'sha256' | 'expiresAt'>;

/** @param der of the certificate */
export function describeCertificate(der: Buffer): DescribedCertificate {
  const sha256 = fingerprintOf(der);
  try {
    const { subject, validToDate } = new X509Certificate(der);
    const line = subject?.split('\n').join(', ');
    return { sha256, subject: cleanText(line), expiresAt: validDate(validToDate) };
  } catch {
    // Its fingerprint still identifies the signer.
    return { sha256, subject: null, expiresAt: null };
  }
}

/** As the Play Console and `keytool` show it, like the fingerprints of uploaded certificates. */
export function fingerprintOf(der: Buffer): string {
  const hex = createHash('sha256').update(der).digest('hex').toUpperCase();
  return hex.replaceAll(/..(?!$)/g, '$&:');
}

/** @returns `null`: it is none, or is beyond what the database keeps */
export function validDate(date: unknown): Date | null {
  if (!types.isDate(date) || Number.isNaN(date.getTime())) return null;
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : null;
}
