import { MASK } from '../../common/secrets/secret-masker.js';

/** Members of JSON and of forms whose values are secrets, whatever they look like. */
const NAMES =
  'access_?token|refresh_?token|id_?token|assertion|client_?secret|client_?assertion|private_?key|password|api_?key|authorization|upload_?id';

/** What is replaced, in this order. Each pattern reads a text once, whatever it contains. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [^-]{0,40}-----[^-]*(?:-----END [^-]{0,40}-----)?/g, MASK],
  [new RegExp(`("(?:${NAMES})"\\s{0,20}:\\s{0,20}")(?:[^"\\\\]|\\\\.)*`, 'gis'), `$1${MASK}`],
  [new RegExp(`((?:^|[?&])(?:${NAMES})=)[^&\\s"]*`, 'gi'), `$1${MASK}`],
  // Where the parts of an upload go, and with which headers: behind the host, the address gives access.
  [/("url"\s{0,20}:\s{0,20}"https?:(?:\\?\/){2}[^"\\/?#]*)(?:[^"\\]|\\.)*/gis, `$1/${MASK}`],
  [/("requestHeaders"\s{0,20}:\s{0,20}\[)(?:[^\]"]|"(?:[^"\\]|\\.)*"?)*/gis, `$1"${MASK}"`],
  // What a storage repeats of a signed address.
  [
    /<(AWSAccessKeyId|StringToSign|SignatureProvided|CanonicalRequest|StringToSignBytes|CanonicalRequestBytes|Token-0)>[^<]*/gi,
    `<$1>${MASK}`,
  ],
  [/\b(X-Amz-(?:Signature|Security-Token|Credential)=)[^&\s"<]*/gi, `$1${MASK}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${MASK}`],
  [/(?<![\w-])eyJ[\w-]*\.[\w-]+(?:\.[\w-]*)?/g, MASK],
  [/\bya29\.[\w.-]+/g, MASK],
];

/** An e-mail address, also in a URL. The lookbehind keeps the search from beginning within a name. */
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}(?:@|%40)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi;

/** A text of a store or for it, without secrets and e-mail addresses. */
export function maskPrivate(text: string): string {
  const masked = SECRETS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), text);
  return masked.replace(EMAIL, MASK);
}
