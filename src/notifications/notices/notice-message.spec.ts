import { noticeMessage, type NoticeContent } from './notice-message.js';

const PUBLIC_URL = 'https://slipway.example.com';
const content: NoticeContent = {
  id: '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa',
  email: 'ada@example.com',
  kind: 'health',
  title: 'Rollout held',
  description: 'A rollout waits for a person.',
  facts: { Channel: 'production', Share: '25 %', Reason: null },
  organizationName: 'Acme',
  appName: 'Shop',
  actorName: null,
  at: new Date('2026-11-26T17:05:59Z'),
  advice: 'Look at the devices, then resume or abort it.',
  path: '/v1/apps/1/deployments/2',
  page: '/apps/1/deployments/2',
  leftOut: 0,
  isLast: false,
  unsubscribeUrl: `${PUBLIC_URL}/unsubscribe?token=abc`,
};

it('says what happened, what to do, and how to stop such messages', () => {
  const mail = noticeMessage(content, PUBLIC_URL);
  expect(mail).toMatchObject({
    id: content.id,
    to: 'ada@example.com',
    subject: 'Rollout held: Shop, production',
    unsubscribeUrl: content.unsubscribeUrl,
  });
  expect(mail.text.split('\n')).toEqual([
    'Rollout held. A rollout waits for a person.',
    '',
    'App: Shop',
    'Organization: Acme',
    'Channel: production',
    'Share: 25 %',
    'Time: 2026-11-26 17:05 UTC',
    '',
    'Look at the devices, then resume or abort it.',
    '',
    `${PUBLIC_URL}/apps/1/deployments/2`,
    '',
    `curl -H "Authorization: Bearer $CAPAWESOME_TOKEN" "${PUBLIC_URL}/v1/apps/1/deployments/2"`,
    '',
    'You get this message because your notices about health are on. Switch them off:',
    `${PUBLIC_URL}/unsubscribe?token=abc`,
    '',
  ]);
  expect(mail.html).toContain('<li>Channel: production</li>');
  expect(mail.html).toContain(`<a href="${PUBLIC_URL}/apps/1/deployments/2">`);
  expect(mail.html).toContain(`<a href="${content.unsubscribeUrl}">`);
});

it('has no link where there is no page', () => {
  const { text, html } = noticeMessage({ ...content, page: null }, PUBLIC_URL);
  expect(text).toContain('abort it.\n\ncurl ');
  expect(html.match(/<a href/g)).toHaveLength(1);
});

it('names the organization when there is no app, and who caused it', () => {
  const { subject, text } = noticeMessage(
    { ...content, appName: null, actorName: 'Grace Hopper' },
    PUBLIC_URL,
  );
  expect(subject).toBe('Rollout held: Acme, production');
  expect(text).not.toContain('App:');
  expect(text).toContain('\nBy: Grace Hopper\n');
});

it('shows names that users have chosen as they are, on one line', () => {
  const evil = '<script>alert(1)</script>\r\nBcc: eve@example.com\n\n\u202Egnp.exe';
  const mail = noticeMessage(
    { ...content, appName: evil, organizationName: evil, actorName: evil, facts: { Channel: evil } },
    PUBLIC_URL,
  );
  const shown = '<script>alert(1)</script> Bcc: eve@example.com gnp.exe';
  expect(mail.subject).toBe(`Rollout held: ${shown}, ${shown}`);
  expect(mail.text).not.toMatch(/^Bcc/m);
  expect(mail.html).not.toContain('<script>');
  expect(mail.html).toContain(
    '<li>Channel: &lt;script&gt;alert(1)&lt;/script&gt; Bcc: eve@example.com gnp.exe</li>',
  );
  expect(`${mail.text}${mail.html}`).not.toContain('\u202E');
});

it('cuts long names', () => {
  const { subject, text } = noticeMessage(
    { ...content, appName: 'a'.repeat(1000), facts: { Reason: 'b'.repeat(10_000) } },
    PUBLIC_URL,
  );
  expect(subject).toHaveLength('Rollout held: '.length + 60);
  expect(text).toContain(`Reason: ${'b'.repeat(499)}…\n`);
});

it('says what had no message', () => {
  const textOf = (changes: Partial<NoticeContent>) =>
    noticeMessage({ ...content, ...changes }, PUBLIC_URL).text;
  expect(textOf({})).not.toMatch(/earlier|last message/);
  expect(textOf({ leftOut: 1 })).toContain(
    '\nOne earlier event of this kind about the same object had no message: there is at most one an hour.\n',
  );
  expect(textOf({ leftOut: 12 })).toContain('\n12 earlier events of this kind');
  expect(textOf({ isLast: true })).toContain(
    '\nThis is the last message of this kind about this organization today',
  );
});
