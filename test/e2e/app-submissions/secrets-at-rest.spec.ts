import { eventually } from '../../support/eventually.js';
import { AppleSite } from '../../support/stores/apple-submissions.js';

let appleSite: AppleSite;
/** Of the addresses and headers of the parts: each gives access to an upload. */
const granted: string[] = [];

beforeAll(async () => {
  appleSite = await AppleSite.start({ LOG_LEVEL: 'debug' });
  const { storage } = appleSite.connect;
  const operationsFor = storage.operationsFor.bind(storage);
  storage.operationsFor = async (...file) => {
    const operations = await operationsFor(...file);
    for (const { url, requestHeaders } of operations) {
      granted.push(new URL(url).searchParams.get('X-Amz-Signature') ?? '');
      granted.push(requestHeaders.find(({ name }) => name === 'X-Part-Token')?.value ?? '');
    }
    return operations;
  };
  storage.partSize = 1024;
});
afterAll(() => appleSite.dispose());

/** Every row of the database, as text. */
async function readDatabase(): Promise<string> {
  const { site } = appleSite;
  const tables = await site.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await site.query<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`);
    texts.push(...rows.map(({ text }) => `${name} ${text}`));
  }
  return texts.join('\n');
}

function expectNoSecrets(text: string, p8: string): void {
  expect(text).toContain('com.example.secrets');
  const [, line = ''] = p8.split('\n');
  const found = [line, ...granted].filter((secret) => text.includes(secret));
  expect(found).toEqual([]);
  expect(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/.exec(text)?.[0]).toBeUndefined();
}

it('are sealed or masked in every table and line of a log, also in the middle of an upload that fails', async () => {
  const app = await appleSite.app('com.example.secrets');
  const { connect, site } = appleSite;
  connect.storage.interrupt(10, { times: 1 });
  const delivery = connect.hold('commitFile');
  const deployment = await app.deploy(await app.build('1.0', '1'));
  await eventually(async () => {
    await appleSite.hurry();
    expect(connect.callsOf('commitFile')).toHaveLength(1);
  });
  expect(granted.length).toBeGreaterThan(4);
  expectNoSecrets(await readDatabase(), app.key.p8);
  delivery.release();
  const ended = await app.end(deployment);
  expect(ended.job.status).toBe('succeeded');
  expectNoSecrets(`${await readDatabase()}\n${site.server.log.join('\n')}`, app.key.p8);
});
