import { appMissing, groupMissing, otherBundleId } from './own-refusals.js';

it('shows what App Store Connect has that looks like the wanted name', () => {
  expect(groupMissing('Beta', ['Team', 'Beta ']).message).toBe(
    'The app has no TestFlight group "Beta": the store has "Beta " with a blank at the end. Correct appleBetaGroups of the destination, or create the group in App Store Connect; then submit again.',
  );
  expect(groupMissing('Beta', ['Team', 'Public']).message).toContain('"Beta". It has Team, Public. Correct');
  expect(appMissing('com.example.app', ['com.example.App']).message).toContain(
    'the bundle id com.example.app: the store has "com.example.App" in another case. Create',
  );
  expect(appMissing('com.example.app', ['com.example.app.beta']).message).toContain(
    'com.example.app. Create',
  );
  expect(otherBundleId('1', 'com.example.app ', 'com.example.app').message).toContain(
    'this ipa has com.example.app: the store has "com.example.app " with a blank at the end. Correct',
  );
});

it('stays short with long names', () => {
  const name = 'é'.repeat(200);
  const near = ` ${'E\u0301'.repeat(200)}`;
  expect(groupMissing(name, [near]).message.length).toBeLessThanOrEqual(300);
  expect(groupMissing(name, [name + name]).message.length).toBeLessThanOrEqual(300);
});
