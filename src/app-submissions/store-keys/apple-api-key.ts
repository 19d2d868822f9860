import { createPrivateKey, type KeyObject } from 'node:crypto';
import { invalidField } from '../../common/errors/app-error.js';
import { describeContent, PRIVATE_KEY } from './describe-content.js';

const PKCS8_PEM = /^\s*-----BEGIN PRIVATE KEY-----[\r\n][A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/;

/**
 * Checks the `.p8` of an API key of App Store Connect.
 *
 * @throws InvalidRequestError when it is something else, with a sentence that says what it is
 */
export function requireAppleApiKey(text: string): void {
  if (!PKCS8_PEM.test(text)) {
    const what = describeContent(text) ?? 'no private key in PEM';
    throw refused(`is ${what === PRIVATE_KEY ? `${what}, but not alone or not whole` : what}`);
  }
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: text, format: 'pem' });
  } catch {
    throw refused('has a private key that cannot be read');
  }
  if (key.asymmetricKeyType !== 'ec')
    throw refused(`has a private key of the type ${key.asymmetricKeyType ?? 'unknown'}, and not EC`);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw refused('has a private key of another curve than P-256');
}

function refused(problem: string): Error {
  return invalidField(
    'file',
    `file ${problem}: upload the .p8 that App Store Connect offers for an API key.`,
  );
}
