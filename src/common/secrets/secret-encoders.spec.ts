import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { cleanShortText } from './clean-lines.js';
import { countMaskedLines } from './secret-forms.js';
import { SecretMasker } from './secret-masker.js';

/** What may be seen of a secret: fewer characters in a row. */
const SEEN = 12;

const utf8 = (text: string): Buffer => Buffer.from(text);
const wrapped = (text: string, width: number): string =>
  text.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n');
const percent = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const lower = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const codes = (text: string, characters: RegExp, isUpper = false): string =>
  JSON.stringify(text).replaceAll(characters, (c) => {
    const code = c.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${isUpper ? code.toUpperCase() : code}`;
  });

/** As Go escapes HTML. */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };

/** How programs print texts. */
const encoders: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'lines with an indent': (text) => text.replaceAll(/^/gm, '    | '),
  'JSON of JavaScript': (text) => JSON.stringify({ value: text }),
  'JSON of Python': (text) => codes(text, /[^\0-\x7f]/g),
  'JSON of PHP': (text) => codes(text, /[^\0-\x7f]/g).replaceAll('/', String.raw`\/`),
  'JSON of Go': (text) => codes(text, /[<>&]/g),
  'JSON of .NET': (text) => codes(text, /[<>&'+`]|[^\0-\x7f]/g, true).replaceAll('\\"', String.raw`\u0022`),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify({ value: text })),
  Base64: (text) => utf8(text).toString('base64'),
  'Base64 for addresses': (text) => utf8(text).toString('base64url'),
  'Base64 behind one byte': (text) => utf8(`:${text}`).toString('base64'),
  'Base64 behind two bytes, in lines of 64': (text) => wrapped(utf8(`u:${text}`).toString('base64'), 64),
  'Base64 in lines of 64': (text) => wrapped(utf8(text).toString('base64'), 64),
  'Base64 in lines of 76, behind much else': (text) =>
    wrapped(utf8(`some-user-name:${text}`).toString('base64'), 76),
  hexadecimal: (text) => utf8(text).toString('hex'),
  'hexadecimal in capitals': (text) => utf8(text).toString('hex').toUpperCase(),
  'an address of JavaScript': (text) => encodeURIComponent(text),
  'an address of PHP': percent,
  'a form of Java, in small letters': (text) =>
    lower(percent(text).replaceAll('%20', '+').replaceAll('~', '%7E')),
  HTML: (text) => Object.entries(entities).reduce((html, [from, to]) => html.replaceAll(from, to), text),
};

const pem = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const account = { type: 'service_account', project_id: 'acme-shop-production', private_key: pem };
const indented = JSON.stringify(account, null, 2);

/** What is stored, and what programs read from it. */
const stored: readonly (readonly [secret: string, read: string])[] = [
  [pem, pem],
  [indented, pem],
  [JSON.stringify(account), pem],
  [JSON.stringify(account), indented],
  [indented, JSON.stringify(account)],
  [indented, pem.replaceAll('\n', ' ')],
  [indented, wrapped(pem.split('\n').slice(1, -2).join(''), 76)],
  [Buffer.from(indented).toString('base64'), pem],
  [`KEY="${pem.replaceAll('\n', String.raw`\n`)}"\nMODE=production`, pem],
];

/** All that may not be seen of a text: twelve characters in a row of a line. */
function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - SEEN + 1) }, (_, at) =>
    text.slice(at, at + SEEN),
  ).filter((piece) => !piece.includes('\n'));
}

it('has twenty encoders', () => {
  expect(Object.keys(encoders)).toHaveLength(20);
});

describe.each(Object.keys(encoders))('%s', (name) => {
  const encode = encoders[name]!;

  it.each(stored)('shows nothing of a key (%#)', (secret, read) => {
    const log = cleanShortText(`before ${encode(read)} after`, SecretMasker.of([secret]));
    expect(log).toMatch(/^before [^]* after$/);
    const seen = new Set(piecesOf(log));
    for (const piece of piecesOf(encode(''))) seen.delete(piece);
    for (const line of pem.split('\n').slice(1, -2)) {
      const base64 = [0, 1, 2].map((offset) => utf8(line.slice(offset)).toString('base64').slice(0, 80));
      const encoded = name.startsWith('Base64') ? [] : [encode(line)];
      const forms = [line, utf8(line).toString('hex'), ...base64, ...encoded].flatMap(piecesOf);
      expect(forms.filter((piece) => seen.has(piece) && !/["{}|]/.test(piece))).toEqual([]);
    }
  });

  it('shows no twelve characters in a row of what it makes of a secret', () => {
    const characters = [...'abcxyzABCXYZ0189+/=_-~!\'()*&<>"#@% ', 'ü', '€', '😀'];
    const secrets = fc
      .array(fc.constantFrom(...characters), { minLength: 12, maxLength: 60 })
      .map((c) => c.join(''));
    fc.assert(
      fc.property(secrets, (text) => {
        const secret = `K7q${text}K7q`;
        const output = encode(secret);
        const log = cleanShortText(output, SecretMasker.of([secret]));
        const around = encode('');
        const shown = piecesOf(log).filter((piece) => output.includes(piece) && !around.includes(piece));
        expect(shown.filter((piece) => !piece.includes('***'))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

it('leaves what is public', () => {
  const masker = SecretMasker.of([indented]);
  const log =
    'service_account of acme-shop-production, a private_key, and https://oauth2.googleapis.com/token';
  expect(masker.mask(log)).toBe(log);
  const lines = ['────────', '========', '        ', '████░░░░', '-\\|/', 'ababab'].map((text) =>
    text.repeat(20),
  );
  for (const line of lines) expect(masker.mask(line)).toBe(line);
});

it('takes no more lines for the parts of a secret, so that stored environments still build', () => {
  const keys = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`key${n}`, `k3y-of-${n}`]));
  const secrets = [JSON.stringify(keys), JSON.stringify(account)];
  expect(countMaskedLines(secrets)).toBe(2);
  const masker = SecretMasker.of(secrets);
  expect(masker.mask('k3y-of-7 k3y-of-1999')).toBe('*** ***');
  expect(masker.sizeInBytes).toBeLessThan(4_000_000);
});

it('masks a key that was cut anywhere', () => {
  const masker = SecretMasker.of([indented]);
  const line = pem.split('\n')[3] ?? '';
  for (let start = 0; start + SEEN <= line.length; start++) {
    for (const end of [start + SEEN, line.length]) {
      // One gram in 70 is found by chance, so a character beside the key can be masked with it.
      expect(masker.mask(`a ${line.slice(start, end)} b`)).toMatch(/^a? ?\*\*\* ?b?$/);
    }
  }
});
