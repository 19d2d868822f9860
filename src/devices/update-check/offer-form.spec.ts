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
