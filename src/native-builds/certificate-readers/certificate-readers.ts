import type { CertificatePlatform } from '../certificates/certificate.entity.js';
import type { CertificateReader } from './reading.js';
import { readWebCertificate } from './web-certificate-reader.js';

/** The platforms whose files can be opened, each with its reader. */
export const certificateReaders: Readonly<Partial<Record<CertificatePlatform, CertificateReader>>> = {
  web: readWebCertificate,
};
