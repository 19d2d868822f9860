import { createApp } from '../../builders/app.js';
import { createMember, createTenant, type Tenant } from '../../builders/identities.js';
import type { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';
import { runQueue } from '../../support/servers/run-queue.js';
import type { GooglePlay } from '../../support/stores/google-play/google-play.js';
import { PlaySite, type PublishedApp } from '../../support/stores/play-submissions.js';

/** A call as the API shows it. */
interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Record<string, string>;
  readonly requestBody: string | null;
  readonly status: number | null;
  readonly responseHeaders: Record<string, string>;
  readonly responseBody: string | null;
  readonly milliseconds: number;
  readonly error: string | null;
}

const PACKAGE = 'com.example.recorded';

let playSite: PlaySite;
let play: GooglePlay;
let tenant: Tenant;
let shop: PublishedApp;
let deploymentId: string;

const pathOf = (deployment = deploymentId): string => `${shop.app.path}/deployments/${deployment}/requests`;
const requests = async (deployment?: string): Promise<Recorded[]> =>
  (await shop.app.api.get(`${pathOf(deployment)}?limit=100`)).body as Recorded[];

beforeAll(async () => {
  playSite = await PlaySite.start({ OUTBOUND_ALLOW: 'git=127.0.0.1' });
  ({ play } = playSite);
  tenant = await createTenant(playSite.site);
  shop = await playSite.app(PACKAGE, { tenant });
  const { id, job } = await shop.release(7);
  expect(job).toMatchObject({ status: 'succeeded' });
  deploymentId = id;
});
afterAll(() => playSite?.dispose());

describe('the calls of a submission', () => {
  it('are listed in their order, all of them', async () => {
    const recorded = await requests();
    const pathOfCall = ({ method, url }: Recorded): string => `${method} ${new URL(url).pathname}`;
    expect(recorded.map(pathOfCall)).toEqual(play.calls.map(({ method, path }) => `${method} ${path}`));
    expect(recorded.map(({ status }) => status)).toEqual(play.calls.map(({ status }) => status));
    // Then it asks where the release is.
    expect(recorded.at(-2)?.url).toMatch(/:commit\?changesInReviewBehavior=ERROR_IF_IN_REVIEW$/);
    expect(recorded.every(({ error, milliseconds }) => error === null && milliseconds >= 0)).toBe(true);
    const track = recorded.find(({ method, url }) => method === 'PUT' && url.includes('/tracks/'));
    expect(JSON.parse(track?.requestBody ?? '')).toMatchObject({ track: 'production' });
  });

  it('contain no secret, no e-mail address and no query of an upload', async () => {
    const text = JSON.stringify(await requests());
    const { private_key: privateKey } = JSON.parse(shop.key.json) as { private_key: string };
    const hidden = [
      shop.key.email,
      privateKey.split('\n')[1] ?? 'x',
      'ya29.',
      'eyJ',
      'authorization',
      'Bearer ',
      ...play.calls.filter(({ call }) => call === 'putChunk').map(({ query }) => query),
    ];
    expect(hidden.length).toBeGreaterThan(6);
    for (const secret of hidden) expect(text).not.toContain(secret);
    expect(text).toContain('assertion=***');
    const [stored] = await playSite.site.query(
      'SELECT string_agg(r::text, $1) AS text FROM submission_requests r',
      [''],
    );
    for (const secret of hidden) expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('come in pages', async () => {
    const all = await requests();
    const response = await shop.app.api.get(`${pathOf()}?limit=2&offset=1`);
    expect(response.body).toEqual(all.slice(1, 3));
    expect(response.headers['x-total-count']).toBe(String(all.length));
    expectError(await shop.app.api.get(`${pathOf()}?limit=0`), 400);
  });

  it('are for those who may deploy, and for no other app', async () => {
    const viewer = await createMember(tenant, 'viewer', playSite.site);
    const developer = await createMember(tenant, 'admin', playSite.site);
    const statusFor = async (api: Api): Promise<number> => (await api.get(pathOf())).status;
    expect(await statusFor(developer.api)).toBe(200);
    expect(await statusFor(viewer.api)).toBe(403);
    const other = await createApp(await createTenant(playSite.site));
    expect(await statusFor(other.api)).toBe(404);
    const own = `${other.path}/deployments/${deploymentId}/requests`;
    expectError(await other.api.get(own), 404, 'submission_not_found');
    const neighbour = await createApp(tenant);
    expectError(
      await neighbour.api.get(`${neighbour.path}/deployments/${deploymentId}/requests`),
      404,
      'submission_not_found',
    );
  });

  it('include those without a response', async () => {
    play.fail('cut', { call: 'insert' });
    const { id } = await shop.release(8);
    const recorded = await requests(id);
    expect(recorded.filter(({ error }) => error !== null)).toEqual([
      expect.objectContaining({ method: 'POST', status: null, responseBody: null }),
    ]);
  });

  it('have no characters that a terminal obeys, also those from before', async () => {
    play.fail('escapes', { call: 'insert' });
    const { id } = await shop.release(9);
    const body = '<h1>a\ufffd[2Jb\ufffd]0;title\ufffdc\ufffd31md\ufffde\ufffdf\ufffd</h1>\r\n\tg';
    expect(await requests(id)).toContainEqual(
      expect.objectContaining({
        status: 503,
        responseBody: body,
        responseHeaders: expect.objectContaining({ server: expect.stringMatching(/^a.?\ufffd2Jb$/) }),
      }),
    );
    await playSite.site.query(
      `UPDATE submission_requests SET error = E'a\\u009bb', request_body = E'\\u202e' WHERE submission_id = $1`,
      [id],
    );
    expect(await requests(id)).toContainEqual(
      expect.objectContaining({ error: 'a\ufffdb', requestBody: '\ufffd' }),
    );
  });

  it('are the latest 2,000', async () => {
    const commit = play.hold('commit');
    const deployment = await shop.deploy(await shop.build(10));
    const { id } = deployment;
    await commit.arrived;
    await playSite.site.query(
      `INSERT INTO submission_requests
         (id, submission_id, method, url, request_headers, response_headers, milliseconds)
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'GET', 'old', '{}', '{}', n
         FROM generate_series(1, 2100) AS n`,
      [id],
    );
    commit.release();
    await shop.end(deployment);
    const response = await shop.app.api.get(`${pathOf(id)}?limit=1`);
    expect(response.headers['x-total-count']).toBe('2000');
    const [oldest] = response.body as Recorded[];
    expect(oldest?.url).toBe('old');
    expect(oldest?.milliseconds).toBeGreaterThan(100);
  });

  it('are deleted after 30 days, and with their app', async () => {
    const count = async (): Promise<number> => (await requests()).length;
    const before = await count();
    await playSite.site.query(
      `UPDATE submission_requests SET created_at = now() - interval '29 days 23 hours' WHERE submission_id = $1`,
      [deploymentId],
    );
    await runQueue(playSite.site, 'submission-request-retention');
    expect(await count()).toBe(before);
    await playSite.site.query(
      `UPDATE submission_requests SET created_at = now() - interval '30 days 1 minute' WHERE submission_id = $1`,
      [deploymentId],
    );
    await runQueue(playSite.site, 'submission-request-retention');
    expect(await count()).toBe(0);
    await shop.app.api.delete(shop.app.path);
    const [left] = await playSite.site.query('SELECT count(*)::int AS n FROM submission_requests');
    expect(left).toEqual({ n: 0 });
  });
});
