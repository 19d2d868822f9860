import { createPrivateKey, type KeyObject } from 'node:crypto';
import { isEmail } from 'class-validator';
import { invalidField } from '../../common/errors/app-error.js';
import { describeContent, JSON_TEXT, parseLenientJson, plainPem } from './store-key-text.js';

const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;
const MAX_EMAIL_LENGTH = 254;

/** What signs in to Google. The addresses in the file do not count: its author may be a stranger. */
export interface GoogleServiceAccountKey {
  /** The account, as the file says. */
  readonly clientEmail: string;
  /** RSA, as PEM. */
  readonly privateKeyPem: string;
  /** Google's id of the key; `null`: the file has none. */
  readonly keyId: string | null;
}

/**
 * Reads the JSON key of a Google service account, also when a form has changed its line breaks.
 *
 * @throws InvalidRequestError when it is something else, with a sentence that says what it is
 */
export function readGoogleServiceAccountKey(text: string): GoogleServiceAccountKey {
  const file = parseObject(text);
  requireServiceAccount(file);
  const {
    client_email: clientEmail,
    private_key: privateKey,
    project_id: project,
    private_key_id: keyId,
  } = file;
  if (typeof clientEmail !== 'string' || clientEmail.length > MAX_EMAIL_LENGTH || !isEmail(clientEmail))
    throw refused('has no e-mail address in client_email');
  if (typeof project !== 'string' || project.trim() === '') throw refused('has no project_id');
  if (typeof privateKey !== 'string' || privateKey.trim() === '') throw refused('has no private_key');
  const pem = plainPem(privateKey, 'PRIVATE KEY') ?? privateKey;
  requireRsa(pem);
  const hasKeyId = typeof keyId === 'string' && /^[\w-]{1,200}$/.test(keyId);
  return { clientEmail: clientEmail.toLowerCase(), privateKeyPem: pem, keyId: hasKeyId ? keyId : null };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = parseLenientJson(text);
  } catch {
    const what = describeContent(text);
    if (what === JSON_TEXT) throw refused('is JSON that is cut off or wrong');
    throw refused(what === null ? 'is no JSON' : `is ${what}, and no JSON`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw refused('is JSON, but no object');
  return parsed as Readonly<Record<string, unknown>>;
}

/** Other files of Google Cloud are JSON as well. */
function requireServiceAccount(file: Readonly<Record<string, unknown>>): void {
  const { type } = file;
  if (type === 'service_account') return;
  if ('installed' in file || 'web' in file) throw refused('is an OAuth client');
  if ('project_info' in file)
    throw refused('is google-services.json, the configuration of Firebase in an app');
  if (type === 'authorized_user') throw refused('holds the credentials of a user');
  if (type === 'external_account') throw refused('is a configuration of workload identity federation');
  if ('access_token' in file || 'refresh_token' in file) throw refused('holds tokens');
  throw refused('does not have the type service_account');
}

function requireRsa(pem: string): void {
  if (pem.includes('ENCRYPTED')) throw refused('has an encrypted private_key');
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    throw refused('has a private_key that cannot be read');
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa') throw refused('has a private_key that is no RSA key');
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
    throw refused(`has a private_key of ${bits} bits, which must be ${MIN_RSA_BITS} to ${MAX_RSA_BITS}`);
}

function refused(problem: string): Error {
  return invalidField(
    'file',
    `file ${problem}: upload the JSON key of a service account, which the Google Cloud console creates.`,
  );
}
