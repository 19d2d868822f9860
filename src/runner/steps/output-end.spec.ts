import { OutputEnd } from './output-end.js';

function hostsIn(...chunks: readonly string[]): string[] {
  const end = new OutputEnd();
  for (const chunk of chunks) end.add(Buffer.from(chunk));
  return end.unreachableHosts();
}

it.each([
  [
    'npm',
    'npm error request to http://npm.corp.example.com:4873/is-odd failed, reason: connect EHOSTUNREACH 10.1.2.3:4873 - Local (198.18.0.100:0)',
    ['npm.corp.example.com', '10.1.2.3'],
  ],
  ['Node.js', 'Error: connect EHOSTUNREACH 10.1.2.3:443', ['10.1.2.3']],
  [
    'curl',
    "curl: (7) Failed to connect to files.corp.example.com port 443 after 0 ms: Couldn't connect to server",
    ['files.corp.example.com'],
  ],
  [
    'git',
    "fatal: unable to access 'https://ada:secret@git.corp.example.com/acme/shop.git/': Failed to connect to git.corp.example.com port 443",
    ['git.corp.example.com'],
  ],
  ['a server that was only mentioned', '  Local: http://192.168.1.7:5173/', []],
])('finds what %s could not reach', (_program, output, hosts) => {
  expect(hostsIn('Building\n', `${output}\n`, 'done\n')).toEqual(hosts);
});

it('reads what arrives in pieces, and only the end of a long output', () => {
  expect(hostsIn('connect EHOST', 'UNREACH 10.1.', '2.3:443\n')).toEqual(['10.1.2.3']);
  expect(hostsIn('connect EHOSTUNREACH 10.1.2.3:443\n', 'x\n'.repeat(40_000))).toEqual([]);
});

it('keeps the last bytes, and no chunk', () => {
  const end = new OutputEnd(10);
  const chunks = [...'connect EHOSTUNREACH'].map((character) => Buffer.from(character));
  for (const chunk of chunks) {
    end.add(chunk);
    chunk.fill('x');
  }
  expect(end.bytes().toString()).toBe('STUNREACH'.padStart(10, 'O'));
  end.add(Buffer.from('a long line that is kept in part'));
  expect(end.bytes().toString()).toBe('pt in part');
});

it('finds twenty hosts at most, however long a line is', () => {
  const lines = Array.from({ length: 50 }, (_, index) => `connect EHOSTUNREACH 10.0.0.${index}:1`);
  expect(hostsIn(lines.join('\n'))).toHaveLength(20);
  expect(hostsIn(`EHOSTUNREACH ${'a'.repeat(10_000)}`).join('')).toHaveLength(253);
});
