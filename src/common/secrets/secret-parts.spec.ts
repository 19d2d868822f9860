import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { isRandom, partsOf } from './secret-parts.js';

const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const body = pem.split('\n').slice(1, -2).join('\n');

/** As Google makes it. */
const account = {
  type: 'service_account',
  project_id: 'acme-shop-production-123456',
  private_key_id: '0f3a5b7c9d1e2f4a6b8c0d2e4f6a8b0c2d4e6f80',
  private_key: pem,
  client_email: 'firebase-adminsdk-x1y2z@acme-shop-production-123456.iam.gserviceaccount.com',
  client_id: '113245678901234567890',
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
  client_x509_cert_url:
    'https://www.googleapis.com/robot/v1/metadata/x509/firebase-adminsdk-x1y2z%40acme-shop-production-123456.iam.gserviceaccount.com',
  universe_domain: 'googleapis.com',
};

it('finds the keys of a service account, and none of its public fields', () => {
  const parts = [account.private_key_id, pem, body].sort();
  expect(partsOf(JSON.stringify(account)).sort()).toEqual(parts);
  expect(partsOf(JSON.stringify(account, null, 2)).sort()).toEqual(parts);
  // As it is stored where a value must be one line.
  expect(partsOf(Buffer.from(JSON.stringify(account)).toString('base64')).sort()).toEqual(parts);
});

describe.each([
  ['JSON', (name: string, value: string) => JSON.stringify({ app: [{ id: 7, [name]: value }] })],
  ['JSON that is not valid', (name, value) => `{\n  "${name}": "${value}", // comment\n}`],
  ['dotenv', (name, value) => `# comment\nexport ${name}="${value}" # comment\nNODE_ENV=production`],
  ['dotenv without quotes', (name, value) => `NODE_ENV=production\n${name}=${value}\n`],
  ['properties', (name, value) => `storeFile=upload.jks\n${name} = ${value}`],
  ['YAML', (name, value) => `app:\n  - id: 7\n    ${name}: '${value}' # comment`],
  ['XML', (name, value) => `<?xml version="1.0"?><app><${name}>${value}</${name}></app>`],
  ['XML with attributes', (name, value) => `<app><setting ${name}='${value}'/></app>`],
  ['.NET', (name, value) => `<appSettings><add key="${name}" value="${value}"/></appSettings>`],
  ['Android', (name, value) => `<resources><string name="${name}">${value}</string></resources>`],
  ['a property list', (name, value) => `<plist><dict><key>${name}</key><string>${value}</string></dict>`],
] satisfies [string, (name: string, value: string) => string][])('in %s', (_format, write) => {
  it.each([
    ['storePassword', 'hunter2'],
    ['API_KEY', 'k3y-of-7'],
    ['client_secret', 'p%ss!w0rd'],
    ['authTokens', 't0ken!'],
    ['credentials', 'correct horse battery staple'],
    ['value', 'AIzaSyD3x9QmZ7fK2pL0vR8tB1nW4yH6jC5sE'],
    ['sum', '9b74c9897bac770ffc029102a200c5de'],
  ])('finds %s %j', (name, value) => {
    expect(partsOf(write(name, value))).toEqual([value]);
  });

  it.each([
    ['type', 'service_account'],
    ['project_id', 'acme-shop-production-123456'],
    ['environment', 'production'],
    ['keyAlias', 'upload1-key'],
    ['token_uri', 'https://oauth2.googleapis.com/token'],
    ['secret', 'https://api.example.com/v1/projects/acme-shop'],
    ['password', 'changeit'],
    ['key', 'name-of-the-product'],
    ['token_type', 'bearer2'],
    ['bundleIdentifier', 'com.example.application.staging'],
    ['createdAt', '2026-11-29T10:15:00.000Z'],
    ['path', '/Users/ci/Library/MobileDevice/Profiles'],
    ['pin', '1234567'],
  ])('leaves %s %j', (name, value) => {
    expect(partsOf(write(name, value))).toEqual([]);
  });
});

it.each([
  ['https://deploy:s3same!@git.example.com/app.git', ['s3same!']],
  ['postgres://shop:p%40ssw0rd@db.example.com:5432/shop', ['p@ssw0rd']],
  ['https://api.example.com/v1?format=json&api_key=k3y-of-7', ['k3y-of-7']],
  ['https://hooks.example.com/services/T00/B00/x7Kq2mVb9TzLw4Rj8Ns1Pd6H', ['x7Kq2mVb9TzLw4Rj8Ns1Pd6H']],
  ['//npm.example.com/:_authToken=npm_s3same', ['npm_s3same']],
  ['Bearer x7Kq2mVb9TzLw4Rj8Ns1Pd6H', ['x7Kq2mVb9TzLw4Rj8Ns1Pd6H']],
  [String.raw`a\/b\u002bc-secret`, ['a/b+c-secret']],
  ['a secret of words only', []],
])('of %s are %j', (secret, parts) => {
  expect(partsOf(secret)).toEqual(parts);
});

it('reads PEM whose line ends are spelled', () => {
  expect(partsOf(`KEY="${pem.replaceAll('\n', String.raw`\n`)}"`)).toContain(body);
});

it('takes time that grows with the length only', () => {
  const hostile = [
    '"',
    "'",
    '<a ',
    '<a b="',
    '://a:',
    '?a=',
    '-----BEGIN A-----',
    ' ',
    'a',
    '=',
    '\\',
    '[',
    '{"a":',
    'a@',
  ];
  for (const text of hostile) {
    const long = text.repeat(Math.ceil(32_768 / text.length));
    for (const secret of [long, `key="x"${long}y`, `export ${long}`]) partsOf(secret);
  }
});

describe('isRandom', () => {
  const encoders: Record<string, (bytes: Buffer) => string> = {
    base64: (bytes) => bytes.toString('base64'),
    base64url: (bytes) => bytes.toString('base64url'),
    hex: (bytes) => bytes.toString('hex'),
    base36: (bytes) => BigInt(`0x${bytes.toString('hex')}`).toString(36),
  };

  it.each(Object.keys(encoders))('recognizes texts of %s', (name) => {
    const texts = Array.from({ length: 500 }, () => encoders[name]!(randomBytes(24)));
    expect(texts.filter((text) => !isRandom(text)).length).toBeLessThan(10);
  });

  it.each([
    'internationalization',
    'my-very-long-project-name-2026',
    'com.example.app.MainActivity',
    'SOME_LONG_CONSTANT_NAME',
    '192.168.100.200:8080',
    '20261129101500000000',
    'node_modules/@angular/compiler-cli/src/main.js',
    'x7Kq2mVb9TzLw4R',
  ])('leaves %s', (text) => {
    expect(isRandom(text)).toBe(false);
  });
});
