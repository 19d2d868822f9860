import { DestinationRules } from './destination-rules.js';

const rules = new DestinationRules(null);
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
const judge = (host: string, addresses: string[] = [host], allow: string | null = null) =>
  new DestinationRules(allow).judge('git', host, addresses);

describe('destinations', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '168.63.129.16',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[0:0:0:0:0:ffff:a00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2002:a00:1::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[4000::1]',
  ])('refuses %s', (spelling) => {
    expect(judge(hostOf(`http://${spelling}/`))).toMatch(/^(refused|never)$/);
  });

  it.each(['1.1.1.1', '0x01010101', '[2606:4700:4700::1111]', '[::ffff:1.1.1.1]', '[64:ff9b::101:101]'])(
    'takes the public address %s',
    (spelling) => expect(judge(hostOf(`http://${spelling}/`))).toBe('public'),
  );

  it('refuses a name if one of its addresses is not public', () => {
    expect(judge('git.example.com', ['1.1.1.1', '2606:4700:4700::1111'])).toBe('public');
    expect(judge('git.example.com', ['1.1.1.1', '10.0.0.1'])).toBe('refused');
    expect(judge('git.example.com', ['1.1.1.1', 'fe80::1%eth0'])).toBe('refused');
    expect(judge('git.example.com', [])).toBe('refused');
  });

  it('allows the networks and hosts of the list, each for its purpose', () => {
    const allow = '10.20.0.0/16, git=fd12::/16,source = 192.168.0.7,*.corp.example.com,Git.Example.com';
    expect(judge('10.20.1.1', undefined, allow)).toBe('allowed');
    expect(judge('::ffff:10.20.1.1', undefined, allow)).toBe('allowed');
    expect(judge('10.21.1.1', undefined, allow)).toBe('refused');
    expect(judge('fd12::1', undefined, allow)).toBe('allowed');
    expect(judge('192.168.0.7', undefined, allow)).toBe('refused');
    expect(new DestinationRules(allow).judge('source', '192.168.0.7', ['192.168.0.7'])).toBe('allowed');
    expect(judge('git.corp.example.com', ['192.168.9.9'], allow)).toBe('allowed');
    expect(judge('GIT.a.corp.example.com.', ['192.168.9.9'], allow)).toBe('allowed');
    expect(judge('corp.example.com', ['192.168.9.9'], allow)).toBe('refused');
    expect(judge('evilcorp.example.com', ['192.168.9.9'], allow)).toBe('refused');
    expect(judge('git.example.com', ['127.0.0.1'], allow)).toBe('allowed');
    expect(judge('git.example.com.evil.com', ['127.0.0.1'], allow)).toBe('refused');
  });

  it('judges a name with an allowed and a public address as public', () => {
    expect(judge('a.example.com', ['10.0.0.1', '1.1.1.1'], '10.0.0.0/8')).toBe('public');
    expect(judge('a.example.com', ['10.0.0.1', '192.168.0.1'], '10.0.0.0/8')).toBe('refused');
  });

  it.each(['0.0.0.0/0,::/0', '169.254.0.0/16', '169.254.169.254', 'metadata.example.com'])(
    'never calls metadata services, whatever the list %s says',
    (allow) => {
      for (const address of [
        '169.254.169.254',
        '::ffff:169.254.169.254',
        '64:ff9b::a9fe:a9fe',
        '100.100.100.200',
      ]) {
        expect(judge('metadata.example.com', [address], allow)).toBe('never');
      }
    },
  );

  it('judges names that a proxy resolves by what they say', () => {
    const judgeName = (host: string, allow: string | null = null) =>
      new DestinationRules(allow).judgeName('store', host);
    for (const host of ['play.example.com', 'play.example.com.', 'PLAY.example.com', 'local.example.com']) {
      expect(judgeName(host)).toBe('public');
    }
    for (const host of [
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      'printer',
      'play.corp',
      'db.internal',
      'x.local',
    ]) {
      expect(judgeName(host)).toBe('refused');
    }
    expect(judgeName('play.corp', 'store=*.corp')).toBe('allowed');
    expect(judgeName('play.corp', 'git=*.corp')).toBe('refused');
    for (const host of ['metadata.google.internal', 'Metadata.Google.Internal.']) {
      expect(judgeName(host, 'store=*.google.internal')).toBe('never');
    }
  });

  it('judges names before they are resolved by what they cannot hide', () => {
    const judgeUnresolved = (host: string, allow: string | null = null) =>
      new DestinationRules(allow).judgeUnresolved('webhook', host);
    for (const host of ['hooks.example.com', 'printer', 'hooks.corp', '1.1.1.1', '2606:4700:4700::1111']) {
      expect(judgeUnresolved(host)).toBe('public');
    }
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', '127.0.0.1', '64:ff9b::a00:1']) {
      expect(judgeUnresolved(host)).toBe('refused');
      expect(judgeUnresolved(host, '127.0.0.0/8,10.0.0.0/8')).toBe('allowed');
    }
    expect(judgeUnresolved('localhost', 'git=localhost')).toBe('refused');
    expect(judgeUnresolved('hooks.corp', 'webhook=*.corp')).toBe('allowed');
    for (const host of ['169.254.169.254', '::ffff:169.254.169.254', 'metadata.google.internal']) {
      expect(judgeUnresolved(host, '0.0.0.0/0,*.internal')).toBe('never');
    }
  });

  it('allows nothing by default', () => {
    expect(rules.judge('webhook', 'localhost', ['127.0.0.1'])).toBe('refused');
  });
});
