import fc from 'fast-check';
import { toRegisteredUrl } from './registered-url.decorator.js';
import { anyCharacter } from '../../../test/support/any-character.js';

/** The grammar of RFC 3986, as strict as iOS reads it, for addresses without credentials and fragment. */
const STRICT = (() => {
  const pchar = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
  const host = "(?:\\[[0-9a-f:.]+\\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)";
  return new RegExp(`^https?://${host}(?::[0-9]*)?(?:/(?:${pchar}|/)*)?(?:\\?(?:${pchar}|[/?])*)?$`);
})();

describe('the address of a registered bundle', () => {
  it.each([
    'https://cdn.example.com/a%20b.zip?v=1',
    'https://cdn.example.com',
    'https://cdn.example.com:8443/%e2%82%ac.zip?X-Amz-Signature=a%2Fb&c=/?',
    "https://cdn.example.com/a;b=1,2/(c)!$&'*+@:~.zip",
    'https://192.0.2.1/b.zip',
    'https://[2001:db8::1]:8443/b.zip',
    'http://localhost:8080/b.zip',
    'http://shop.localhost/b.zip',
    'http://127.0.0.1/b.zip',
    'http://[::1]:3000/b.zip',
  ])('stays as it is: %s', (url) => {
    expect(toRegisteredUrl(url)).toBe(url);
  });

  it.each([
    ['https://example.com/a b.zip', 'https://example.com/a%20b.zip'],
    ['https://example.com/ü/€.zip', 'https://example.com/%C3%BC/%E2%82%AC.zip'],
    ['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
    [
      'https://example.com/[1]{2}|3^4`5"6<7>8\\9',
      'https://example.com/%5B1%5D%7B2%7D%7C3%5E4%605%226%3C7%3E8%5C9',
    ],
    ['https://example.com?a=[b]', 'https://example.com?a=%5Bb%5D'],
    ['HTTPS://EXAMPLE.com/A', 'https://example.com/A'],
    ['https://bücher.example/b.zip', 'https://xn--bcher-kva.example/b.zip'],
  ])('%s becomes %s', (url, stored) => {
    expect(toRegisteredUrl(url)).toBe(stored);
    expect(toRegisteredUrl(stored)).toBe(stored);
  });

  it.each([
    '',
    'https://',
    'https:///b.zip',
    'https:example.com',
    'example.com/b.zip',
    '//example.com/b.zip',
    'ftp://example.com/b.zip',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://example.com/b.zip',
    'http://localhost.example.com/b.zip',
    'http://127.0.0.2/b.zip',
    'http://10.0.0.1/b.zip',
    'http://[2001:db8::1]/b.zip',
    'https://user@example.com/b.zip',
    'https://user:secret@example.com/b.zip',
    'https://@example.com/b.zip',
    'https://example.com/b.zip#part',
    'https://example.com/b.zip#',
    'https://example.com/100%',
    'https://example.com/%zz',
    'https://example.com/?a=%2',
    'https://exa mple.com/',
    'https://exa"mple.com/',
    'https://example.com\\b.zip',
    'https://example.com\\@evil.example/b.zip',
    'https://example.com:99999/',
    'https://example.com:port/',
    'https://[::1/',
    ' https://example.com/b.zip',
    'https://example.com/b.zip\n',
    'https://example.com/b\tc.zip',
    'https://example.com/\ud800',
  ])('is refused: %j', (url) => {
    expect(toRegisteredUrl(url)).toBeNull();
  });

  it('is always one that every platform can read, or refused', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 30 }),
      fc.string({ unit: fc.constantFrom(...'ab%41/?[]:@#\\ .ü"<>{}|^`\''), maxLength: 30 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('https://a.example/', 'https://', 'http://localhost/'),
        text,
        (start, rest) => {
          const url = toRegisteredUrl(start + rest);
          if (url === null) return;
          expect(url).toMatch(STRICT);
          expect(URL.canParse(url)).toBe(true);
          expect(toRegisteredUrl(url)).toBe(url);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
