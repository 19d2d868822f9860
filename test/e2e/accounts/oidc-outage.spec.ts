import { type ServerProcess, startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { TestProvider } from '../../support/oidc/test-provider.js';
import { type PageResponse, Visitor } from '../../support/oidc/visitor.js';

const DOWN = 'Signing in with Acme is not possible at the moment, because it does not answer.';
const INVALID = 'Signing in with Acme failed: its answer is not valid.';

let provider: TestProvider;
let server: ServerProcess;

/** It has never reached its provider before the tests in which people sign in, which are the last. */
beforeAll(async () => {
  const { databaseUrl, dataDir } = testEnvironment();
  provider = await TestProvider.start();
  await provider.stop();
  server = await startServer({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...provider.env });
});
afterAll(async () => {
  await server.stop();
});
afterEach(async () => {
  provider.intercept = null;
  await provider.stop();
});

function expectDown(shown: PageResponse): void {
  expect(shown.status).toBe(503);
  expect(shown.headers.get('retry-after')).toBe('30');
  expect(shown.html).toContain(DOWN);
}

it.each<[string, number, string, string]>([
  ['fails itself', 500, 'text/html', '<h1>Oops</h1>'],
  ['is not there', 404, 'text/html', '<h1>Not found</h1>'],
  ['is no provider', 200, 'text/html', '<h1>Hello</h1>'],
  ['describes another', 200, 'application/json', '{"issuer":"https://evil.example"}'],
  ['describes nothing', 200, 'application/json', '{}'],
])('gives a page when the provider %s', async (_what, status, type, body) => {
  await provider.resume();
  provider.intercept = (_request, response) => {
    response.writeHead(status, { 'Content-Type': type }).end(body);
    return true;
  };
  const shown = await new Visitor(server.origin).follow('/login/oidc');
  if (status === 500) expectDown(shown);
  else {
    expect(shown.status).toBe(502);
    expect(shown.html).toContain(INVALID);
  }
});

it('gives a page when the provider takes the call and never answers', async () => {
  await provider.resume();
  provider.intercept = () => true;
  expectDown(await new Visitor(server.origin).follow('/login/oidc'));
});

it('does not keep the server from starting, and is over when the provider answers', async () => {
  const visitor = new Visitor(server.origin);
  expectDown(await visitor.signIn());
  expect((await visitor.follow('/login')).html).toContain('Sign in with Acme');
  await provider.resume();
  const user = provider.createUser();
  expect((await visitor.signIn()).html).toContain(user.email);
});

it('in the middle of a sign-in gives a page, and the next one succeeds', async () => {
  await provider.resume();
  const user = provider.createUser();
  const visitor = new Visitor(server.origin);
  const callback = await visitor.signInUntilCallback();
  await provider.stop();
  expectDown(await visitor.follow(callback.href));
  expect(visitor.cookie).not.toMatch(/^web_/);
  await provider.resume();
  expect((await visitor.signIn()).html).toContain(user.email);
});
