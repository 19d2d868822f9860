import { pageOf } from '../apple-pages.js';
import { doneMessage } from './testers.js';

const group = (name: string) => ({ id: name, name, isInternal: false, hasAccessToAllBuilds: false });

it('names the groups, and what the beta review means', () => {
  expect(doneMessage([], undefined)).toContain('names no groups');
  expect(doneMessage([group('Team')], undefined)).toBe('The build is in TestFlight for the group Team.');
  expect(doneMessage([group('Team'), group('Public')], 'WAITING_FOR_REVIEW')).toBe(
    "The build is in TestFlight for the groups Team, Public. External testers get it after Apple's beta review.",
  );
});

it('stays short with many long names', () => {
  const groups = Array.from({ length: 20 }, (_, index) => group(`${index} ${'x'.repeat(200)}`));
  const message = doneMessage(groups, 'IN_REVIEW');
  expect(message).toContain('and 15 more');
  expect(message.length).toBeLessThanOrEqual(300);
});

it('links to the page of the build, whatever ids Apple gives', () => {
  expect(pageOf('123', 'visionos', 'u-1')).toBe(
    'https://appstoreconnect.apple.com/apps/123/testflight/visionos/u-1',
  );
  expect(pageOf('1?2', null)).toBe('https://appstoreconnect.apple.com/apps/1%3F2/testflight/ios');
});
