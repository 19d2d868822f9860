import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type TestMember } from '../../builders/identities.js';
import { accessibilityProblems, Chromium, hasChromium } from '../../support/http/chromium.js';
import { Browser } from '../../support/http/browser.js';
import { recordUnmatchedJob } from '../../support/notifications/noticed-events.js';
import { NoticeSite, PUBLIC_URL } from '../../support/notifications/notice-site.js';

let server: NoticeSite;
let app: TestApp;
let ada: TestMember;
/** Path and query of the link in a mail to her. */
let link: string;

const notices = async (): Promise<object> =>
  (await server.as(ada).get('/v1/users/me/notices')).body as object;
const browser = (): Browser => new Browser(server.site.origin);

beforeAll(async () => {
  server = await NoticeSite.start();
  app = await createApp(await createTenant(server.site));
});
afterAll(() => server.dispose());
beforeEach(async () => {
  ada = await server.watcher(app.tenant);
  await recordUnmatchedJob(server.site, app);
  const [mail] = await server.mailsTo(ada, 1);
  const [, url = ''] = /^<(.+)>$/.exec(mail?.headers.get('list-unsubscribe')?.[0] ?? '') ?? [];
  link = url.replace(PUBLIC_URL, '');
});

it('asks first, and then switches off the mails of this kind without a sign-in', async () => {
  const visitor = browser();
  const asked = await visitor.open(link);
  expect(asked.status).toBe(200);
  expect(asked.html).toContain('Stop these emails?');
  expect(asked.headers.get('referrer-policy')).toBe('no-referrer');
  expect(asked.setCookie).toBeNull();
  // Programs that check mails for danger follow links.
  expect(await notices()).toMatchObject({ approvals: true, health: true, webhooks: true });

  const done = await visitor.submit(link);
  expect(done.status).toBe(200);
  expect(done.html).toContain('You get no more of these emails');
  expect(await notices()).toMatchObject({ approvals: true, health: false, webhooks: true });
  await recordUnmatchedJob(server.site, app);
  await server.mailsTo(ada, 1);
  // Again changes nothing.
  expect((await visitor.send(link, {})).status).toBe(200);
});

it.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=abc',
    '--abc\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--abc--\r\n',
  ],
])('works with one click in a mail program: %s', async (type, body) => {
  const shown = await browser().request('POST', link, { 'Content-Type': type }, body);
  expect(shown.status).toBe(200);
  expect(await notices()).toMatchObject({ health: false });
});

it('changes nothing with another token', async () => {
  const [path = '', token = ''] = link.split('?token=');
  const [userId = '', kind, mac] = token.split('.');
  const others = [
    path,
    `${path}?token=`,
    `${path}?token=${userId}.approvals.${mac}`,
    `${path}?token=${app.tenant.owner.userId}.${kind}.${mac}`,
    `${path}?token=${userId}.${kind}.${'A'.repeat(22)}`,
  ];
  for (const other of others) {
    for (const method of ['GET', 'POST']) {
      const shown = await browser().request(method, other);
      expect([method, other, shown.status]).toEqual([method, other, 404]);
      expect(shown.html).toContain('This link does not work');
    }
  }
  expect((await browser().request('POST', `${path}?token=${'a'.repeat(101)}`)).status).toBe(400);
  expect((await browser().request('POST', `${link}&token=b`)).status).toBe(400);
  expect(await notices()).toMatchObject({ approvals: true, health: true });
});

it('works, and does nothing, when the user is deleted', async () => {
  await server.site.query('DELETE FROM users WHERE id = $1', [ada.userId]);
  expect((await browser().request('POST', link)).status).toBe(200);
});

(hasChromium ? it : it.skip)('works in a browser, also for people with disabilities', async () => {
  const chromium = await Chromium.start();
  try {
    const page = await chromium.open({ viewport: { width: 400, height: 600 } });
    await page.goto(server.site.origin + link);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.click('text=Stop these emails >> nth=-1');
    await page.waitForSelector('text=You get no more of these emails');
    expect(await accessibilityProblems(page)).toEqual([]);
  } finally {
    await chromium.stop();
  }
  expect(await notices()).toMatchObject({ health: false });
});
