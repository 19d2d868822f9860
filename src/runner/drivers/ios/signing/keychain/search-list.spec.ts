import { parseIdentities } from './keychain.js';
import { parseSearchList, withoutFolder } from './search-list.js';

it('reads paths as security prints them: in quotes, without escapes', () => {
  const paths = ['/Users/ci/Library/Keychains/login.keychain-db', '/a b/with "quotes".keychain', '/ü\\n'];
  const output = paths.map((path) => `    "${path}"\n`).join('');
  expect(parseSearchList(output)).toEqual(paths);
  expect(parseSearchList('')).toEqual([]);
  expect(parseSearchList(' <NULL>\nno path\n')).toEqual([]);
});

it('leaves out what is in a folder, and nothing that only begins like it', () => {
  const others = ['/home/signing-other/a', '/home/a', '/home/signing', 'relative'];
  const ours = ['/home/signing/jobs/1/a', '/home/signing/.b'];
  expect(withoutFolder([...others, ...ours], '/home/signing')).toEqual(others);
});

it('reads identities, and why macOS does not take them', () => {
  const [good, bad] = ['A'.repeat(40), '0123456789'.repeat(4)];
  const output = `
Policy: Code Signing
  Matching identities
  1) ${good} "Apple Distribution: Example (A1) (B2)"
  2) ${bad} "Old" (CSSMERR_TP_CERT_EXPIRED)
     2 identities found

  Valid identities only
  1) ${good} "Apple Distribution: Example (A1) (B2)"
     1 valid identities found
`;
  expect([...parseIdentities(output)]).toEqual([
    [good, undefined],
    [bad, 'CSSMERR_TP_CERT_EXPIRED'],
  ]);
  expect(parseIdentities('     0 valid identities found\n').size).toBe(0);
});
