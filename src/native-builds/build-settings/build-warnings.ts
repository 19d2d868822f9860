import type { Certificate } from '../certificates/certificate.entity.js';

/** What may surprise about a build that was started nevertheless. */
export const buildWarningCodes = ['certificate_expired', 'certificate_expires'] as const;
export type BuildWarningCode = (typeof buildWarningCodes)[number];

/** A warning about a build. */
export interface BuildWarning {
  readonly code: BuildWarningCode;
  /** One sentence or two for people. */
  readonly message: string;
}

const WARNED_MS = 30 * 24 * 3600 * 1000;

/** A warning about a certificate that has expired, or does so within 30 days. @param now the time of the build */
export function findCertificateWarnings(
  { name, expiresAt }: Pick<Certificate, 'name' | 'expiresAt'>,
  now: Date,
): BuildWarning[] {
  if (expiresAt === null || expiresAt.getTime() - now.getTime() > WARNED_MS) return [];
  const day = expiresAt.toISOString().slice(0, 10);
  const consequence = 'The build is signed with it all the same, but stores can refuse it.';
  return expiresAt <= now
    ? [{ code: 'certificate_expired', message: `The certificate ${name} expired on ${day}. ${consequence}` }]
    : [{ code: 'certificate_expires', message: `The certificate ${name} expires on ${day}. ${consequence}` }];
}
