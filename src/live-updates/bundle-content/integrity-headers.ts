/*
 * Response headers with which devices verify what they download. In lower case, because the Capacitor plugin on iOS looks
 * them up exactly so, up to 7.2.2.
 */

/** SHA-256 of the decoded bytes, lower-case hexadecimal. */
export const CHECKSUM_HEADER = 'x-checksum';
/** Signature of the decoded bytes, base64: RSA, PKCS#1 v1.5, SHA-256. */
export const SIGNATURE_HEADER = 'x-signature';
