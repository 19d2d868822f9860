import { randomUUID } from 'node:crypto';
import { createPerson, PASSWORD } from '../builders/person.js';
import { testEnvironment } from '../setup/test-environment.js';
import { Browser } from '../support/http/browser.js';

const { origin } = testEnvironment();
const app = randomUUID();

/** The policy of an address, by directive. */
async function policyOf(path: string): Promise<Map<string, string>> {
  const { headers } = await fetch(origin + path);
  const policy = headers.get('Content-Security-Policy') ?? '';
  return new Map(
    [...policy.matchAll(/(?:^|;)\s*(\S+) ([^;]*)/g)].map(([, name = '', text = '']) => [name, text]),
  );
}

describe.each([
  '/',
  `/apps/${app}`,
  `/apps/${app}/channels/${app}?page=2`,
  `/apps/_/destinations`,
  `/organizations/${app}/people`,
])('the address %s of the console', (path) => {
  it('is a page for everybody, which nothing keeps', async () => {
    const response = await fetch(origin + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.text()).toContain(`/login?next=${encodeURIComponent(path)}`);
  });

  it('runs scripts and styles by a nonce of its own', async () => {
    const [first, second] = [await policyOf(path), await policyOf(path)];
    expect(first.get('script-src')).toMatch(/^'nonce-[A-Za-z0-9+/]{24}' 'strict-dynamic'$/);
    expect(first.get('style-src')).toMatch(/^'self' 'nonce-[A-Za-z0-9+/]{24}'$/);
    expect(first.get('script-src')).not.toBe(second.get('script-src'));
    expect(first.get('default-src')).toBe("'none'");
    expect(first.get('frame-ancestors')).toBe("'none'");
    expect(first.get('img-src')).toBe("'self' blob:");
  });

  it('shows its visitor after the sign-in, who comes back to it', async () => {
    const person = await createPerson();
    const browser = new Browser();
    await browser.open(`/login?next=${encodeURIComponent(path)}`);
    const values = { ...browser.hidden('/login'), email: person.email, password: PASSWORD };
    expect((await browser.send('/login', values)).location).toBe(path);
    expect((await browser.open(path)).html).toContain(person.email);
  });
});

describe('files of the console', () => {
  it.each(['index.html', '..%2Findex.html', '%2e%2e', 'missing-12345678.js', '.built', 'a.js.br'])(
    'are those that were built, not %s',
    async (name) => {
      expect((await fetch(`${origin}/console/files/${name}`)).status).toBe(404);
    },
  );
});

it.each(['Cross-Origin-Opener-Policy', 'Origin-Agent-Cluster'])(
  'sends %s over https only, because browsers warn of it elsewhere',
  async (name) => {
    expect((await fetch(`${origin}/login`)).headers.has(name)).toBe(false);
  },
);

it.each(['/v1/users/me', '/login', '/docs', '/health/live'])(
  'leaves the policy of %s alone',
  async (path) => {
    expect((await policyOf(path)).get('script-src') ?? '').not.toContain('nonce');
  },
);

it('leaves addresses outside of the console to others', async () => {
  const visitor = new Browser();
  expect((await visitor.request('GET', '/appsies')).status).toBe(404);
});
