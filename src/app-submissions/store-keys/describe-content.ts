/** A key in PKCS#8, of any kind. */
export const PRIVATE_KEY = 'a private key in PEM';

/** Or what begins like it. */
export const JSON_TEXT = 'JSON';

/** What people upload by mistake, by its beginning. */
const KINDS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^\s*$/, 'empty'],
  [/^\s*[{[]/, JSON_TEXT],
  [/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/, 'an encrypted private key'],
  [/-----BEGIN EC (PRIVATE KEY|PARAMETERS)-----/, 'an EC private key that is not PKCS#8'],
  [/-----BEGIN RSA PRIVATE KEY-----/, 'an RSA private key'],
  [/-----BEGIN OPENSSH PRIVATE KEY-----/, 'an SSH key'],
  [/-----BEGIN PRIVATE KEY-----/, PRIVATE_KEY],
  [/-----BEGIN CERTIFICATE REQUEST-----/, 'a certificate request'],
  [/-----BEGIN CERTIFICATE-----/, 'a certificate'],
  [/-----BEGIN PUBLIC KEY-----/, 'a public key'],
  [/^\s*<(!doctype|html|\?xml)/i, 'an HTML or XML page'],
  [/^\s*AIza[\w-]{30,}\s*$/, 'the text of an API key'],
];

/** What the text is, such as `a certificate`; `null`: unknown. */
export function describeContent(text: string): string | null {
  return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
