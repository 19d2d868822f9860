import { invalidField } from '../../common/errors/app-error.js';

/** The two names of the certificate in requests: that of the contract, and that of responses. */
interface CertificateFields {
  readonly certificateId?: string | undefined;
  readonly appCertificateId?: string | undefined;
}

/** @throws InvalidRequestError when both fields name different certificates */
export function certificateIdOf({ certificateId, appCertificateId }: CertificateFields): string | null {
  if (
    certificateId !== undefined &&
    appCertificateId !== undefined &&
    certificateId.toLowerCase() !== appCertificateId.toLowerCase()
  ) {
    throw invalidField(
      'appCertificateId',
      'appCertificateId and certificateId must be the same, or one of them absent.',
    );
  }
  return certificateId ?? appCertificateId ?? null;
}

/** The field that names the certificate. */
export function certificateFieldOf({ certificateId }: CertificateFields): string {
  return certificateId === undefined ? 'appCertificateId' : 'certificateId';
}
