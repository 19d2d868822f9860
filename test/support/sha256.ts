import { hash } from 'node:crypto';

/** SHA-256 in lower-case hexadecimal. */
export const sha256 = (content: Buffer | string): string => hash('sha256', content, 'hex');
