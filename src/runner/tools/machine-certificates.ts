import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** What Node.js, OpenSSL, git and curl read besides the certificates of the system. */
const VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'CURL_CA_BUNDLE',
];

/**
 * Where the authorities are that the runner trusts besides the usual ones: builds and git must trust them, too, behind a
 * proxy that opens TLS and with a git server of a company. They hold no secrets.
 *
 * @returns variables of the environment with absolute paths
 */
export function machineCertificates(): Record<string, string> {
  const given = VARIABLES.map((name) => [name, process.env[name] ?? ''] as const);
  return Object.fromEntries(given.filter(([, path]) => isAbsolute(path) && existsSync(path)));
}
