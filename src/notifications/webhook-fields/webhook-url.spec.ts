import { haveOneOrigin, parseWebhookUrl } from './webhook-url.js';

describe('parseWebhookUrl', () => {
  it.each([
    ['https://hooks.example.com', 'hooks.example.com'],
    ['https://hooks.example.com/', 'hooks.example.com'],
    ['https://hooks.example.com:8443/services/T0/B0?token=1&user@example.com', 'hooks.example.com:8443'],
    ['http://10.0.0.1/a', '10.0.0.1'],
    ['https://[2606:4700:4700::1111]:8443/a', '[2606:4700:4700::1111]:8443'],
    ['https://hooks_1.-a.example.com./a', 'hooks_1.-a.example.com.'],
    ['https://hooks:1/a', 'hooks:1'],
  ])('keeps %s as it is', (url, host) => {
    expect(parseWebhookUrl(url)).toEqual({ url, host });
  });

  it.each([
    ['https://bücher.example/a', 'https://xn--bcher-kva.example/a', 'xn--bcher-kva.example'],
    ['https://１２７.0.0.1/a', 'https://127.0.0.1/a', '127.0.0.1'],
    ['https://2130706433/a', 'https://127.0.0.1/a', '127.0.0.1'],
    ['https://0x7f.1/a', 'https://127.0.0.1/a', '127.0.0.1'],
    ['HTTPS://Hooks.Example.com:443/A', 'https://hooks.example.com/A', 'hooks.example.com'],
    ['https://hooks.example.com/a/../b', 'https://hooks.example.com/b', 'hooks.example.com'],
  ])('shows how %s is called', (text, url, host) => {
    expect(parseWebhookUrl(text)).toEqual({ url, host });
  });

  it.each([
    '',
    'hooks.example.com',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'https:///hooks.example.com',
    'https:hooks.example.com',
    'https://user@hooks.example.com/',
    'https://user:secret@hooks.example.com/',
    'https://@hooks.example.com/',
    'https://:@hooks.example.com/',
    'https://hooks.example.com\\@evil.example.com/',
    'https:\\\\hooks.example.com/',
    'https://hooks.example.com/#secret',
    'https://hooks.example.com/#',
    'https://hooks.example.com/a b',
    ' https://hooks.example.com/',
    'https://hooks.exam\nple.com/',
    'https://hooks.example.com/\u202eb',
    'https://hooks.example.com:99999/',
    'https://hooks.example.com:0/',
    'https://.../',
    'https://./',
    'https://.hooks.example.com/',
    'https://hooks..example.com/',
    'https://hooks.example.com../',
    'https://*.example.com/',
    'https://hooks$.example.com/',
    `https://${'a'.repeat(64)}.example.com/`,
    `https://${'a.'.repeat(127)}example.com/`,
    'https://256.256.256.256/',
    'https://[::1/',
    'https://hooks..%00.example.com/',
    `https://hooks.example.com/${'a'.repeat(2000)}`,
    `https://hooks.example.com/${'ü'.repeat(500)}`,
  ])('refuses %j', (text) => {
    expect(parseWebhookUrl(text)).toBeNull();
  });
});

it('compares scheme, host and port of addresses', () => {
  expect(haveOneOrigin('https://a.example.com/one', 'https://a.example.com:443/two')).toBe(true);
  expect(haveOneOrigin('https://a.example.com/', 'http://a.example.com/')).toBe(false);
  expect(haveOneOrigin('https://a.example.com/', 'https://a.example.com:8443/')).toBe(false);
  expect(haveOneOrigin('https://a.example.com/', 'https://b.example.com/')).toBe(false);
});
