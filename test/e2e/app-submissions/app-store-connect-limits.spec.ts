import { generateKeyPairSync } from 'node:crypto';
import { eventually } from '../../support/eventually.js';
import { AppleSite } from '../../support/stores/apple-submissions.js';

let appleSite: AppleSite;

beforeAll(async () => {
  appleSite = await AppleSite.start();
});
afterAll(() => appleSite.dispose());
afterEach(() => appleSite.connect.rates.clear());

const statuses = (): number[] => appleSite.connect.calls.map(({ status }) => status ?? 0);

describe('the calls that Apple allows a key', () => {
  it('in a moment are waited for, without counting attempts', async () => {
    const { connect } = appleSite;
    const app = await appleSite.app('com.example.bursts');
    const build = await app.build('1.0', '1');
    connect.calls.length = 0;
    connect.rates.burst = { calls: 4, within: 2000 };
    const { job, log, submission } = await app.end(await app.deploy(build), 60_000);
    expect([job.status, submission.state, app.builds.length]).toEqual(['succeeded', 'prepared', 1]);
    expect(log).toContain('App Store Connect');
    const refused = statuses().filter((status) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    // Each one pauses all calls with the key.
    expect(refused.length).toBeLessThan(statuses().length / 2);
  });

  it('in an hour are left to others at the end; the submission says so, and goes on when there are more', async () => {
    const { connect } = appleSite;
    const app = await appleSite.app('com.example.hours');
    const build = await app.build('1.0', '1');
    connect.rates.leave(app.key.keyId, 150);
    connect.calls.length = 0;
    const deployment = await app.deploy(build);
    await eventually(async () => {
      const { submission } = await app.deployment(deployment.id);
      expect(submission.message).toContain('allows with this key in an hour are used up. Slipway waits');
    });
    expect((await app.job(deployment)).status).toBe('queued');
    const made = statuses().length;
    await appleSite.hurry();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(statuses()).toHaveLength(made);
    expect(made).toBeLessThan(3);

    connect.rates.clear();
    await appleSite.site.query(`UPDATE apple_key_calls SET answered_at = now() - interval '6 minutes'`);
    const { job } = await app.end(deployment);
    expect([job.status, app.builds.length]).toEqual(['succeeded', 1]);
  });

  it('belong to those who have the key, and not to those who name it', async () => {
    const { connect } = appleSite;
    const app = await appleSite.app('com.example.owner');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const p8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const forger = await appleSite.app('com.example.forger', { key: { ...app.key, p8 } });
    const forged = await forger.end(await forger.deploy(await forger.build('1.0', '1')));
    expect(forged.job.status).toBe('failed');
    expect(forged.submission.message).toContain("Check this server's clock and the key");
    const counted = await appleSite.site.query(
      `SELECT FROM apple_key_calls AS calls JOIN apps ON apps.organization_id = calls.organization_id WHERE apps.id = $1`,
      [forger.app.id],
    );
    expect(counted).toEqual([]);
    connect.calls.length = 0;
    const { job } = await app.end(await app.deploy(await app.build('1.0', '1')));
    expect(job.status).toBe('succeeded');
    const [own] = await appleSite.site.query<{ calls: number }>(
      `SELECT sum(calls)::int AS calls FROM apple_key_calls AS calls
         JOIN apps ON apps.organization_id = calls.organization_id WHERE apps.id = $1`,
      [app.app.id],
    );
    expect(own?.calls).toBe(statuses().length);
  });
});
