import type { CertificatePlatform } from '../certificates/certificate.entity.js';
import type { CertificateReader } from './reading.js';

/**
 * The platforms whose files can be opened, each with its reader. These are imported where they are used, which is in
 * processes of their own, so that the server does not load their libraries.
 */
export const certificateReaders: Readonly<Record<CertificatePlatform, () => Promise<CertificateReader>>> = {
  android: async () => (await import('./android-certificate-reader.js')).readAndroidCertificate,
  ios: async () => (await import('./ios-certificate-reader.js')).readIosCertificate,
  web: async () => (await import('./web-certificate-reader.js')).readWebCertificate,
};
