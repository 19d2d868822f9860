import { Config } from '../config/config.js';
import type { Installation } from '../config/groups/installation-config.js';
import { addressOf, lineOf } from './installation.js';

const KUBERNETES = 'KUBERNETES_SERVICE_HOST';
const before = process.env[KUBERNETES];
beforeEach(() => delete process.env[KUBERNETES]);
afterAll(() => {
  if (before === undefined) delete process.env[KUBERNETES];
  else process.env[KUBERNETES] = before;
});

function configOf(kind: Installation | null): Config {
  const config = new Config();
  config.installation.kind = kind;
  return config;
}

it.each<[Installation | null, string]>([
  [null, 'npm run slipway -- user list'],
  ['checkout', 'npm run slipway -- user list'],
  ['image', 'docker exec -it <container> slipway user list'],
  ['compose', 'docker compose exec api slipway user list'],
  ['kubernetes', 'kubectl exec -it deploy/slipway -- slipway user list'],
])('prints the line of an installation of the kind %s', (kind, line) => {
  expect(lineOf(configOf(kind), 'user list')).toBe(line);
});

it.each<[Installation | null]>([[null], ['image']])('recognizes a pod where the kind is %s', (kind) => {
  process.env[KUBERNETES] = '10.0.0.1';
  expect(lineOf(configOf(kind), 'user list')).toBe('kubectl exec -it deploy/slipway -- slipway user list');
});

it('quotes arguments as shells take them', () => {
  expect(lineOf(configOf(null), 'password', '--email', 'ada+test@example.com')).toBe(
    'npm run slipway -- password --email ada+test@example.com',
  );
  expect(lineOf(configOf(null), 'password', '--email', "o'neil;$x@example.com")).toBe(
    String.raw`npm run slipway -- password --email 'o'\''neil;$x@example.com'`,
  );
});

it('names PUBLIC_URL, else the address that the server listens on', () => {
  const config = configOf(null);
  config.http.port = 4321;
  expect(addressOf(config)).toBe('http://localhost:4321');
  config.http.publicUrl = 'https://slipway.example.com';
  expect(addressOf(config)).toBe('https://slipway.example.com');
});
