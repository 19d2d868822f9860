import { headersProblem } from './webhook-headers.js';

const headers = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-Header-${index}`, 'value']));

describe('headersProblem', () => {
  it.each([
    {},
    { Authorization: 'Bearer t0ken' },
    { 'x-api-key': 'a b  c', "X_Odd!#$%&'*+.^`|~": '~' },
    { X: 'a'.repeat(1000) },
    headers(10),
  ])('takes %j', (value) => {
    expect(headersProblem(value)).toBeNull();
  });

  it.each([null, undefined, 'X: y', 5, [], [['X', 'y']]])('refuses %j, which is no object', (value) => {
    expect(headersProblem(value)).toBe('headers must be an object of names and values.');
  });

  it('refuses too many, and one name twice', () => {
    expect(headersProblem(headers(11))).toBe('headers must hold at most 10 headers.');
    expect(headersProblem({ 'X-Key': 'a', 'x-key': 'b' })).toBe(
      'headers must hold each name once; case makes no difference.',
    );
  });

  it.each(['', 'X Y', 'X:', 'X\r\nY', 'Ü', 'X'.repeat(101), 'X(', 'X/Y'])('refuses the name %j', (name) => {
    expect(headersProblem({ [name]: 'value' })).toBe(
      'headers must have names of 1 to 100 letters, digits and hyphens.',
    );
  });

  it.each([
    'Host',
    'CONNECTION',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'Accept-Encoding',
    'User-Agent',
    'Content-Type',
    'content-length',
    'Webhook-Id',
    'webhook-signature',
    'X-Capawesome-Signature',
    'x-capawesome-event',
  ])('refuses %s', (name) => {
    expect(headersProblem({ [name]: 'value' })).toBe(
      `headers must not hold ${name}: Slipway sets it, or it belongs to the connection.`,
    );
  });

  it.each(['', ' ', ' a', 'a ', 'a\r\nX-Other: b', 'a\tb', 'ü', '\u2028', 5, null, ['a'], 'a'.repeat(1001)])(
    'refuses the value %j',
    (value) => {
      expect(headersProblem({ 'X-Key': value })).toBe(
        'headers must have values of 1 to 1000 printable ASCII characters, without spaces at the ends: X-Key has not.',
      );
    },
  );

  it('takes names that objects inherit for names', () => {
    expect(headersProblem(JSON.parse('{"__proto__": "a", "constructor": "b"}'))).toBeNull();
  });
});
