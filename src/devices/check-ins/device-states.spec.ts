import type { RecordedCheck } from './check-in.js';
import { DeviceStates } from './device-states.js';

const check: RecordedCheck = {
  appId: 'app',
  deviceId: 'a',
  customId: null,
  report: {
    bundleId: null,
    channelNames: [],
    platform: 'android',
    platformNumber: 0,
    appVersionCode: '1',
    appVersionName: '1',
    osVersion: '1',
    pluginVersion: '8.0.0',
    runtime: null,
  },
  country: null,
  channelId: null,
  deploymentId: null,
  connection: { remoteAddress: '', forwardedFor: null, trusts: () => false },
  runsOffered: false,
};

const changed = (changes: Partial<RecordedCheck['report']>): RecordedCheck => ({
  ...check,
  report: { ...check.report, ...changes },
});

describe('DeviceStates', () => {
  it.each([
    ['appId', { ...check, appId: 'b' }],
    ['bundleId', changed({ bundleId: 'b' })],
    ['appVersionCode', changed({ appVersionCode: '2' })],
    ['appVersionName', changed({ appVersionName: '2' })],
    ['osVersion', changed({ osVersion: '2' })],
    ['pluginVersion', changed({ pluginVersion: '2' })],
    ['platformNumber', changed({ platformNumber: 1 })],
    ['runtime', changed({ runtime: 'cordova' })],
    ['a runtime that is called null', changed({ runtime: 'null' })],
    ['channelNames', changed({ channelNames: ['a', 'b'] })],
    ['country', { ...check, country: 'DE' }],
    ['channelId', { ...check, channelId: 'c' }],
    ['deploymentId', { ...check, deploymentId: 'd' }],
    ['runsOffered', { ...check, runsOffered: true }],
  ])('makes another state when %s differs', (_field, later) => {
    const states = new DeviceStates();
    const before = states.of(check);
    expect(states.of(later)).not.toBe(before);
    expect(states.of(check)).toBe(before);
  });

  it('keeps values apart that read the same one behind the other', () => {
    const states = new DeviceStates();
    const one = states.of(changed({ appVersionCode: '1', appVersionName: '23' }));
    const other = states.of(changed({ appVersionCode: '12', appVersionName: '3' }));
    expect(JSON.parse(one.json)).toMatchObject({ app_version_code: '1', app_version_name: '23' });
    expect(JSON.parse(other.json)).toMatchObject({ app_version_code: '12', app_version_name: '3' });
  });

  it('makes one state for all devices that differ only in their ids', () => {
    const states = new DeviceStates();
    expect(states.of({ ...check, deviceId: 'b' })).toBe(states.of(check));
    expect(states.of({ ...changed({}), deviceId: 'c', customId: 'Ada' })).toBe(states.of(check));
  });
});
