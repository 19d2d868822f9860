import { existsSync } from 'node:fs';

/** What Node.js, OpenSSL, git and curl read besides the certificates of the system. */
const VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'CURL_CA_BUNDLE',
];
/** Where a machine has certificates and no keys: sandboxes show these. */
const PUBLIC =
  /^\/(etc\/(ssl\/certs|ssl\/cert\.pem|pki\/tls\/certs|pki\/ca-trust\/extracted|ca-certificates)|usr)(\/|$)/;

/**
 * Where the authorities are that the runner trusts besides the usual ones: builds and git must trust them, too, behind a
 * proxy that opens TLS and with a git server of a company. They hold no secrets.
 *
 * @returns variables of the environment with absolute paths
 */
export function machineCertificates(): Record<string, string> {
  const given = VARIABLES.map((name) => [name, process.env[name] ?? ''] as const);
  return Object.fromEntries(given.filter(([, path]) => PUBLIC.test(path) && existsSync(path)));
}
