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

/** What the machine trusts: Debian, Red Hat. Node.js has its own list, which lacks the authorities of a company. */
const BUNDLES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'];

/**
 * Where the authorities are that the machine and the runner trust besides the usual ones: builds and git must trust them,
 * too, behind a proxy that opens TLS and with a server of a company. They hold no secrets.
 *
 * @returns variables of the environment with absolute paths
 */
export function machineCertificates(): Record<string, string> {
  const bundle = BUNDLES.find((path) => existsSync(path));
  const given = VARIABLES.map((name) => [name, process.env[name] ?? ''] as const);
  return {
    ...(bundle !== undefined && { NODE_EXTRA_CA_CERTS: bundle }),
    ...Object.fromEntries(given.filter(([, path]) => PUBLIC.test(path) && existsSync(path))),
  };
}
