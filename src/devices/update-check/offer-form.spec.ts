import { BUNDLE } from '../../../test/support/update-checks/decision-cases.js';
import type { DeviceReport } from '../check-ins/device-report.js';
import type { ReleaseBundle } from '../releases/release-table.js';
import { offerFormFor } from './offer-form.js';

const bundle = (br: boolean, gzip: boolean): ReleaseBundle => ({
  ...BUNDLE,
  artifactType: 'manifest',
  generatedZip: { checksum: 'a'.repeat(64), smallerThan: { br, gzip } },
});

const report = (changes: Partial<DeviceReport>): DeviceReport => ({
  channelNames: [],
  platformNumber: changes.platform === 'ios' ? 1 : 0,
  platform: 'android',
  appVersionCode: '1',
  appVersionName: '1.0',
  osVersion: '34',
  pluginVersion: '8.4.3',
  bundleId: null,
  runtime: null,
  ...changes,
});

it.each<[string, 'br' | 'gzip', Partial<DeviceReport>]>([
  ['Capacitor 8.4.0 on Android', 'br', { pluginVersion: '8.4.0' }],
  ['Capacitor 8.3.9 on Android', 'gzip', { pluginVersion: '8.3.9' }],
  ['an unknown version on Android', 'gzip', { pluginVersion: '' }],
  ['Cordova on Android', 'gzip', { pluginVersion: '9.0.0', runtime: 'cordova' }],
  ['Capacitor on iOS', 'br', { platform: 'ios', pluginVersion: '7.0.0' }],
  ['Cordova on iOS', 'br', { platform: 'ios', pluginVersion: '0.1.0', runtime: 'cordova' }],
])('compares the zip with the files that %s fetches, in %s', (_device, coding, changes) => {
  const device = report(changes);
  expect(offerFormFor(bundle(coding === 'br', coding === 'gzip'), device)).toBe('generated-zip');
  expect(offerFormFor(bundle(coding !== 'br', coding !== 'gzip'), device)).toBe('published');
});

it('offers the zip only if there is one, and only to devices that run no bundle', () => {
  const zipped = bundle(true, true);
  expect(offerFormFor({ ...zipped, generatedZip: null }, report({}))).toBe('published');
  expect(offerFormFor(zipped, report({ bundleId: zipped.id }))).toBe('published');
  expect(offerFormFor(zipped, report({}))).toBe('generated-zip');
});

describe('of a bundle with an empty file', () => {
  const empty: ReleaseBundle = { ...bundle(false, false), hasEmptyFiles: true };

  it.each<[string, 'published' | 'generated-zip', Partial<DeviceReport>]>([
    ['Capacitor 6.5.9 on iOS', 'published', { pluginVersion: '6.5.9' }],
    ['Capacitor 6.6.0 on iOS', 'generated-zip', { pluginVersion: '6.6.0' }],
    ['Capacitor 7.2.1 on iOS', 'generated-zip', { pluginVersion: '7.2.1' }],
    ['a release candidate before 7.2.2 on iOS', 'generated-zip', { pluginVersion: '7.2.2-rc.1' }],
    ['Capacitor 7.2.2 on iOS', 'published', { pluginVersion: '7.2.2' }],
    ['Capacitor 7.1.0 on Android', 'published', { pluginVersion: '7.1.0', platform: 'android' }],
    ['Cordova 7.1.0 on iOS', 'published', { pluginVersion: '7.1.0', runtime: 'cordova' }],
    ['an unknown version on iOS', 'published', { pluginVersion: 'x' }],
    ['no version on iOS', 'published', { pluginVersion: '' }],
  ])('%s is offered it %s, whatever it runs and however large the zip is', (_device, form, changes) => {
    for (const bundleId of [null, 'another']) {
      expect(offerFormFor(empty, report({ platform: 'ios', bundleId, ...changes }))).toBe(form);
    }
  });
});
