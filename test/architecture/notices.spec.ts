import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes } from '../../src/event-types.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/notices.md'), 'utf8');
const example = { organizationId: 'o', appId: 'a', objectId: 'x', data: { appBuildId: 'b', appId: null } };
const noticed = eventTypes.flatMap(({ type, of, notice }) =>
  notice === undefined ? [] : [{ type, of, notice }],
);

it('documents which events have mails', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| \w+ +\| `(\w+)` +\|/gm)].map(([, kind, type]) => [
    type,
    kind,
  ]);
  expect(rows.sort()).toEqual(noticed.map(({ type, notice }) => [type, notice.kind]).sort());
});

it('shows the requests of mails, which the API has', () => {
  const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as {
    paths: Record<string, { get?: object }>;
  };
  const known = Object.keys(paths).filter((path) => paths[path]?.get !== undefined);
  const isKnown = (wanted: string): boolean =>
    known.some((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(wanted));
  const unknown = noticed.filter(({ notice }) => !isKnown(notice.path(example).split('?')[0] ?? ''));
  expect(unknown.map(({ type }) => type)).toEqual([]);
  const nameless = noticed.filter(
    ({ of, notice }) => of === 'organization' && notice.path(example).includes('/apps/'),
  );
  expect(nameless).toEqual([]);
});

it('links to pages that there are', () => {
  const pages = noticed.flatMap(({ type, notice }) => {
    const page = notice.page?.(example) ?? null;
    return page === null ? [] : [[type, page]];
  });
  const known =
    /^(\/apps\/a\/((deployments|channels)\/x|channels|builds\/b|signing|webhooks)|\/organizations\/o\/webhooks|\/settings\/tokens)$/;
  expect(pages.filter(([, page]) => !known.test(page ?? ''))).toEqual([]);
  expect(pages.length).toBeGreaterThan(12);
});
