import { stripVTControlCharacters } from 'node:util';
import { Config } from '../../config/config.js';
import { banner, type BannerToken, signInLinkFor } from './banner.js';

const valid: BannerToken = { text: 'ca_token', isValid: true };
const linesOf = (config: Config, link: string | null, token = valid): string[] =>
  stripVTControlCharacters(banner(config, token, link)).split('\n');

describe('the banner', () => {
  it('shows the sign-in link first, on a line of its own', () => {
    const lines = linesOf(new Config(), '/login/link?token=secret');
    const link = lines.indexOf('  http://localhost:3000/login/link?token=secret');
    expect(link).toBeGreaterThan(0);
    expect(lines.indexOf('  API          http://localhost:3000/v1')).toBeGreaterThan(link);
    expect(lines.join('\n')).toContain('within 15 minutes');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(100);
  });

  it('has no word of a link when there is none, and no Swagger UI when it is switched off', () => {
    const config = new Config();
    config.http.docs = false;
    config.http.publicUrl = 'https://slipway.example.com';
    const text = linesOf(config, null).join('\n');
    expect(text).not.toMatch(/link|password|Swagger/);
    expect(text).toContain('Console      https://slipway.example.com\n');
  });

  it('shows a token that is valid', () => {
    expect(linesOf(new Config(), null)).toContain('  API token    ca_token');
  });

  it.each<[string, BannerToken, RegExp]>([
    ['its file was removed', { text: null, isValid: false }, /^ {15}\(there is no \/.+\/token\)$/],
    [
      'it is not valid any more',
      { text: 'ca_token', isValid: false },
      /^ {15}\(no longer valid: \/.+\/token\)$/,
    ],
  ])('says where to create a token when %s', (_when, token, reason) => {
    const lines = linesOf(new Config(), null, token);
    const at = lines.indexOf('  API token    create one at http://localhost:3000/settings/tokens');
    expect(at).toBeGreaterThan(0);
    expect(lines[at + 1]).toMatch(reason);
    expect(lines.join('\n')).not.toContain('ca_token');
  });
});

describe('the sign-in link', () => {
  const { isTTY } = process.stdout;
  afterEach(() => {
    process.stdout.isTTY = isTTY;
  });

  it.each([
    ['the output is no terminal', false, true, true],
    ['the log of a terminal is JSON', true, false, true],
    ['passwords are switched off', true, true, false],
  ])('is not made when %s', async (_when, terminal, pretty, local) => {
    process.stdout.isTTY = terminal;
    const config = new Config();
    // Nothing listens there: it would take an error to try.
    config.database.url = 'postgres://127.0.0.1:1/none';
    Object.assign(config.log, { pretty });
    Object.assign(config.signIn, { local });
    expect(await signInLinkFor(config, 'ca_token')).toBeNull();
  });
});
