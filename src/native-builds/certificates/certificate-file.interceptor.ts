import { SmallFileInterceptor } from '../../common/http/small-file.interceptor.js';

/** Largest certificate file: 256 KiB. Keystores have a few. */
export const MAX_CERTIFICATE_BYTES = 256 * 1024;

export const CertificateFileInterceptor = SmallFileInterceptor(
  MAX_CERTIFICATE_BYTES,
  ': upload a key or a keystore, and no app',
);
