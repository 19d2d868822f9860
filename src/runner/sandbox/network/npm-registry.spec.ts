import { serverPorts, registryUrlOf, resolveServer } from './npm-registry.js';

it.each([
  ['https://npm.corp.example.com', 'https://npm.corp.example.com/'],
  [' http://10.1.2.3:4873/npm ', 'http://10.1.2.3:4873/npm/'],
  ['https://ada:secret@npm.corp.example.com/?token=secret#secret', 'https://npm.corp.example.com/'],
  ['ftp://npm.corp.example.com/', null],
  ['npm.corp.example.com', null],
  ['', null],
])('registryUrlOf(%j) is %j', (text, url) => {
  expect(registryUrlOf(text)).toBe(url);
});

it.each([
  ['http://10.1.2.3:4873/', { host: '10.1.2.3', port: 4873, addresses: ['10.1.2.3'], isLoopback: false }],
  ['https://10.1.2.3/npm/', { port: 443 }],
  ['http://10.1.2.3/', { port: 80 }],
  ['http://localhost:4873/', { host: 'localhost', addresses: [], isLoopback: true }],
  ['http://127.8.9.1/', { addresses: [], isLoopback: true }],
  ['http://[::1]/', { host: '::1', addresses: [], isLoopback: true }],
  ['http://[::ffff:127.0.0.1]/', { addresses: [], isLoopback: true }],
  ['http://nowhere.invalid/', { addresses: [], isLoopback: false }],
])('finds out what %s is', async (registry, expected) => {
  expect(await resolveServer(registry)).toMatchObject(expected);
});

describe('serverPorts', () => {
  const registry = { host: 'npm.example.com', port: 4873, isLoopback: false };
  it.each([
    ['a private address', '10.1.2.3', [], true],
    ['an address of the machine', '203.0.112.7', [], true],
    ['a public address, which is open', '1.1.1.1', [], false],
    ['a private address that is open', '10.1.2.3', ['10.1.0.0/16'], false],
    ['a metadata service', '169.254.169.254', [], false],
  ])('for %s', (_what, address, allowed, isOpened) => {
    const ports = serverPorts({ ...registry, addresses: [address] }, allowed, ['203.0.112.7']);
    expect(ports).toEqual(isOpened ? [{ address, port: 4873 }] : []);
  });
});
