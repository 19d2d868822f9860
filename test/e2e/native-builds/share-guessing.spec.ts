import type { Response } from 'supertest';
import { createApp } from '../../builders/app.js';
import { createBuildShare } from '../../builders/build-share.js';
import { createTenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';
import { OwnSite } from '../../support/servers/own-site.js';

const PASSWORD = 'four unusual words';

describe('the password of a share', () => {
  let site: OwnSite;
  let shareId: string;

  beforeAll(async () => {
    site = await OwnSite.start({ TRUST_PROXY: 'loopback' });
  });
  beforeEach(async () => {
    const app = await createApp(await createTenant(site));
    const { buildId } = await uploadBundle(app);
    shareId = (await createBuildShare(app, buildId, { password: PASSWORD })).id;
  });
  afterAll(() => site.dispose());

  const send = (address: string, password: string): Promise<Response> =>
    Promise.resolve(
      new Api(site.origin, null)
        .request('post', `/v1/app-build-shares/${shareId}/unlock`)
        .set('X-Forwarded-For', address)
        .send({ password }),
    );

  it('cannot be guessed from many addresses, and those that have opened the share before still can', async () => {
    const known = '198.51.100.1';
    expect((await send(known, PASSWORD)).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 80 }, (_, n) => send(`203.0.113.${n}`, `wrong password ${n}`)),
    );
    // 50 without delay. After each further one, the next has to wait: a slow server lets some through.
    expect(guesses.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(50);
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    // As if there had been more of them.
    await site.query(
      `UPDATE sign_in_attempts SET blocked_until = now() + interval '10 minutes' WHERE failures >= 50`,
    );
    // Also for those who know it, from an address that has not opened the share.
    expectError(await send('198.51.100.2', PASSWORD), 429, 'rate_limited');
    expect((await send(known, PASSWORD)).status).toBe(200);
  });

  it('limits how often one address tries, whatever it tries', async () => {
    await site.restart({ RATE_LIMIT_SIGN_IN: '3' });
    const statuses = [];
    for (let n = 0; n < 5; n++) {
      const response = await new Api(site.origin, null)
        .request('post', '/v1/app-build-shares/unknown/unlock')
        .set('X-Forwarded-For', '192.0.2.7')
        .send({ password: 'x' });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
  });
});
