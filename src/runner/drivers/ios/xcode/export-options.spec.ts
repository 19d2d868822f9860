import { parse } from 'plist';
import type { ProfileType } from '../../../../common/provisioning-profiles.js';
import { type ExportFacts, exportOptions } from './run-xcode.js';

const FACTS: ExportFacts = { xcodeVersion: '26.2', identity: 'AB12', usesCloudContainers: false };

function optionsOf(type: ProfileType, facts: Partial<ExportFacts> = {}): Record<string, unknown> {
  const profile = { uuid: 'uuid-1', name: 'Shop', type, teamId: 'TEAM', bundleId: 'com.acme.*' };
  const text = exportOptions(
    {
      teamId: 'TEAM',
      type,
      targets: [
        { target: 'App', bundleId: 'com.acme.shop', profile: { ...profile, uuid: 'uuid-1' } },
        { target: 'Widget', bundleId: 'com.acme.shop.widget', profile: { ...profile, uuid: 'uuid-2' } },
      ].map((target) => ({
        ...target,
        profile: { ...target.profile, expiresAt: '', certificateFingerprints: [], file: '' },
      })),
    },
    { ...FACTS, ...facts },
  );
  return parse(text) as Record<string, unknown>;
}

it('names the profile of each bundle id, and signs by hand', () => {
  expect(optionsOf('ad-hoc')).toEqual({
    method: 'release-testing',
    destination: 'export',
    signingStyle: 'manual',
    teamID: 'TEAM',
    signingCertificate: 'AB12',
    provisioningProfiles: { 'com.acme.shop': 'uuid-1', 'com.acme.shop.widget': 'uuid-2' },
  });
});

it.each([
  ['development', '15.3', 'debugging'],
  ['ad-hoc', '15.4', 'release-testing'],
  ['app-store', '26.2', 'app-store-connect'],
  ['enterprise', '26.2', 'enterprise'],
  ['development', '15.2', 'development'],
  ['ad-hoc', '14.3.1', 'ad-hoc'],
  ['app-store', '9.4', 'app-store'],
  ['enterprise', '15.2', 'enterprise'],
] as const)('calls the method of %s for Xcode %s %s', (type, xcodeVersion, method) => {
  expect(optionsOf(type, { xcodeVersion })['method']).toBe(method);
});

it('leaves the build number and the symbols of the App Store as they were built', () => {
  expect(optionsOf('app-store')).toMatchObject({
    uploadSymbols: false,
    manageAppVersionAndBuildNumber: false,
  });
});

it.each([
  ['development', 'Development'],
  ['ad-hoc', 'Production'],
  ['app-store', 'Production'],
] as const)('gives %s of an app with containers of iCloud those for %s', (type, environment) => {
  expect(optionsOf(type, { usesCloudContainers: true })['iCloudContainerEnvironment']).toBe(environment);
});
