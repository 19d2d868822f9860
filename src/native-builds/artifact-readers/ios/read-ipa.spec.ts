import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { build, type PlistValue } from 'plist';
import { type IpaDescription, makeIpa } from '../../../../test/support/native-builds/ipa-writer.js';
import { makeProfile } from '../../../../test/support/native-builds/apple/profile.js';
import { readBytes } from '../../../../test/support/native-builds/read-bytes.js';
import type { ArtifactFacts } from '../artifact-facts.js';
import { type DeviceReading, findDevice } from '../read-artifact.js';

const INFO = 'Payload/App.app/Info.plist';

const read = async (ipa: IpaDescription): Promise<ArtifactFacts> => {
  const reading = await readBytes('ipa', await makeIpa(ipa));
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.facts;
};

/** An Info.plist with these members, as XML. */
const info = (members: Readonly<Record<string, PlistValue>>): string =>
  build({ CFBundleIdentifier: 'com.example.app', ...members });

const readInfo = (members: Readonly<Record<string, PlistValue>>): Promise<ArtifactFacts> =>
  read({ entries: { [INFO]: Buffer.from(info(members)) } });

describe('the search for a device', () => {
  const PROFILE = 'Payload/App.app/embedded.mobileprovision';
  const UDID = '00008030-001A2D8E0C41802E';
  const find = async (ipa: IpaDescription, udid = UDID): Promise<DeviceReading> => {
    const bytes = await makeIpa(ipa);
    return findDevice(udid, bytes.length, ({ start, length }) =>
      Promise.resolve(Readable.from([bytes.subarray(start, start + length)])),
    );
  };
  const withDevices = (ProvisionedDevices: PlistValue): IpaDescription => ({
    entries: { [PROFILE]: makeProfile({ members: { ProvisionedDevices } }) },
  });

  it.each<[string, IpaDescription, boolean]>([
    ['lists it', withDevices(['x', UDID]), true],
    ['lists it in lower case', withDevices([UDID.toLowerCase()]), true],
    ['lists others', withDevices([UDID.slice(1), `${UDID}0`, `x${UDID}`]), false],
    ['lists things that are none', withDevices([1, true, [UDID], { [UDID]: UDID }]), false],
    ['has one text as list', withDevices(UDID), false],
    ['is for all devices', { profile: 'enterprise' }, false],
    ['is for the App Store', { profile: 'app-store' }, false],
    ['is absent', { profile: null }, false],
  ])('says whether the profile has it: it %s', async (_what, ipa, isInProfile) => {
    expect(await find(ipa)).toEqual({ isInProfile });
  });

  it('says why a profile is not read', async () => {
    expect(await find({ entries: { [PROFILE]: Buffer.from('x') } })).toEqual({
      problem: 'its embedded.mobileprovision is damaged',
    });
  });
});

describe('the answer about export compliance', () => {
  it.each([
    [true, true],
    [false, false],
    ['NO', null],
    ['false', null],
    [0, null],
    [1, null],
    [[true], null],
    [{ value: true }, null],
  ])('is that of a Boolean alone: %j is %s', async (value, answer) => {
    const { usesNonExemptEncryption } = await readInfo({ ITSAppUsesNonExemptEncryption: value });
    expect(usesNonExemptEncryption).toBe(answer);
  });
});

describe('the platform', () => {
  it.each([
    ['iphoneos', 'ios'],
    ['AppleTVOS', 'tvos'],
    ['xros', 'visionos'],
    ['iphonesimulator', null],
    ['watchos', null],
    ['macosx', null],
    ['constructor', null],
    ['__proto__', null],
  ])('for %s is %s', async (DTPlatformName, platform) => {
    expect((await readInfo({ DTPlatformName })).applePlatform).toBe(platform);
  });

  it('is iOS without a name', async () => {
    expect((await readInfo({})).applePlatform).toBe('ios');
    expect((await readInfo({ DTPlatformName: 5 })).applePlatform).toBe('ios');
  });
});

describe('versions', () => {
  it('that are no texts are none', async () => {
    const facts = await readInfo({ CFBundleShortVersionString: 1.5, CFBundleVersion: ['7'] });
    expect(facts).toMatchObject({ versionName: null, versionCode: null });
  });
});

describe('an Info.plist in XML', () => {
  const text = info({ CFBundleDisplayName: 'Läden 🛒' });
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16, little-endian', little],
    ['UTF-16, big-endian', Buffer.from(little).swap16()],
  ])('is read in %s', async (_encoding, file) => {
    expect(await read({ entries: { [INFO]: file } })).toMatchObject({ label: 'Läden 🛒' });
  });

  // The library prints what it finds.
  beforeEach(() => void jest.spyOn(console, 'error').mockReturnValue(undefined));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le')],
    ['a byte order mark alone', Buffer.from('fffe', 'hex')],
    ['half a character', little.subarray(0, 201)],
    ['the old form of NeXT', Buffer.from('{ CFBundleIdentifier = "com.example.app"; }')],
  ])('is damaged when it has %s', async (_what, file) => {
    const ipa = await makeIpa({ entries: { [INFO]: file } });
    expect(await readBytes('ipa', ipa)).toEqual({ problem: 'its Info.plist is damaged' });
  });
});

describe('a profile', () => {
  it('says which bundle id it is for', async () => {
    const { signer } = await read({ packageName: 'com.example.shop', teamId: 'AB12CD34EF' });
    expect(signer).toMatchObject({ profileBundleId: 'com.example.shop', teamId: 'AB12CD34EF' });
  });

  it.each([
    ['development', 1],
    ['ad-hoc', 1],
    ['app-store', null],
    ['enterprise', null],
  ] as const)('for %s says for how many devices it is', async (profile, deviceCount) => {
    expect((await read({ profile })).signer).toMatchObject({ deviceCount });
  });
});
