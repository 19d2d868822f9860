import { isClosed, routeCommands } from './routes.js';

const unreachable = (network: string) => `route add unreachable ${network}`;
const open = (network: string) => `route add ${network} via 198.18.0.2 dev tap0 onlink`;

describe('routeCommands', () => {
  it('closes private networks, metadata and the machine, and opens the rest', () => {
    const commands = routeCommands([], ['203.0.112.7', '10.1.2.3']);
    expect(commands[0]).toBe('route replace default via 198.18.0.2 dev tap0 onlink');
    expect(commands).toEqual(
      expect.arrayContaining(
        ['10.0.0.0/8', '169.254.0.0/16', '169.254.169.254/32', '203.0.112.7/32', '10.1.2.3/32'].map(
          unreachable,
        ),
      ),
    );
    expect(commands.filter((command) => command.includes('via'))).toHaveLength(1);
  });

  it('opens what is allowed, but neither the machine nor metadata in it', () => {
    const commands = routeCommands(['10.1.0.0/16', '169.254.169.254/32'], ['10.1.2.3']);
    expect(commands).toContain(open('10.1.0.0/16'));
    expect(commands).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '10.1.2.3/32', '169.254.169.254/32'].map(unreachable)),
    );
    expect(commands).not.toContain(open('169.254.169.254/32'));
  });

  it('opens an address of the machine that is named alone', () => {
    const commands = routeCommands(['10.1.2.3/32'], ['10.1.2.3']);
    expect(commands).toContain(open('10.1.2.3/32'));
    expect(commands).not.toContain(unreachable('10.1.2.3/32'));
  });

  it('opens closed networks within an allowed one', () => {
    const commands = routeCommands(['0.0.0.0/0'], []);
    expect(commands).not.toContain(unreachable('10.0.0.0/8'));
    expect(commands).toContain(unreachable('169.254.169.254/32'));
  });

  it('opens one port of a closed address by a rule, for TCP only', () => {
    const ports = [
      { address: '10.1.2.3', port: 4873 },
      { address: '10.1.2.4', port: 4873 },
    ];
    const commands = routeCommands([], ['10.1.2.3'], ports);
    expect(commands).toEqual(expect.arrayContaining(routeCommands([], ['10.1.2.3'])));
    expect(commands.slice(-3)).toEqual([
      'route add default via 198.18.0.2 dev tap0 onlink table 100',
      'rule add to 10.1.2.3/32 ipproto tcp dport 4873 lookup 100',
      'rule add to 10.1.2.4/32 ipproto tcp dport 4873 lookup 100',
    ]);
  });

  it('adds each route once, since a second one fails', () => {
    const commands = routeCommands(['10.1.2.3/32', '10.1.2.3/32', '10.0.0.0/8'], ['192.0.2.2', '192.0.2.2']);
    expect(new Set(commands).size).toBe(commands.length);
    const networks = commands.flatMap((command) => /[\d.]+\/\d+/.exec(command)?.[0] ?? []).slice(1);
    expect(new Set(networks).size).toBe(networks.length);
  });
});

describe('isClosed', () => {
  it.each([
    ['8.8.8.8', [], false],
    ['10.1.2.3', [], true],
    ['10.1.2.3', ['10.1.0.0/16'], false],
    ['169.254.169.254', ['169.254.169.254/32'], true],
    ['192.0.2.9', [], true],
    ['192.0.2.9', ['192.0.2.0/24'], true],
    ['192.0.2.9', ['192.0.2.9/32'], false],
    ['127.0.0.1', ['127.0.0.0/8'], true],
  ])('%s with %j: %s', (address, allowed, closed) => {
    expect(isClosed(address, allowed, ['192.0.2.9'])).toBe(closed);
  });
});
