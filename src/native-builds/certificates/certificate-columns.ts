import { errorOf } from '../../common/errors/app-error.js';
import type { CertificateFacts } from '../certificate-readers/reading.js';
import { type Certificate, CERTIFICATES_NAME_KEY } from './certificate.entity.js';

/** What a violated constraint means. */
export const certificateViolations = {
  [CERTIFICATES_NAME_KEY]: () => errorOf('certificate_name_taken'),
};

type FactColumns = Pick<Certificate, 'expiresAt' | 'keyAlias' | 'subject' | 'sha256Fingerprint' | 'teamId'>;

/** The columns of what a file says about itself, but for its type. */
export function factColumnsOf(facts: CertificateFacts): FactColumns {
  const { expiresAt, keyAlias, subject, sha256Fingerprint, teamId } = facts;
  return { expiresAt, keyAlias, subject, sha256Fingerprint, teamId };
}
