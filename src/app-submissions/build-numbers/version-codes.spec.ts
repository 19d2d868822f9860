import {
  type AppVersionCodes,
  countVersionCodes,
  formFactorOf,
  type SubmittedCode,
} from './version-codes.js';

type Tracks = Readonly<Record<string, readonly number[]>>;

/** Each track with one release. */
const codes = (tracks: Tracks, files: readonly number[] = []): AppVersionCodes => ({
  releases: Object.entries(tracks).map(([track, versionCodes]) => ({ track, versionCodes })),
  files: [...Object.values(tracks).flat(), ...files],
});
const phone = (tracks: Tracks, files?: readonly number[], submitted: readonly SubmittedCode[] = []) =>
  countVersionCodes(codes(tracks, files), submitted, 'phone');

it.each([
  ['production', 'phone'],
  ['closed wear: test', 'phone'],
  ['wear:production', 'wear'],
  ['tv:beta', 'tv'],
  ['automotive:internal', 'automotive'],
])('the track %s is for %s', (track, formFactor) => {
  expect(formFactorOf(track)).toBe(formFactor);
});

describe('the version codes of an app', () => {
  const tracks = { production: [42], beta: [50], 'wear:production': [30_000_021], 'tv:production': [900] };

  it('count for the devices of their tracks', () => {
    const wear = { number: 30_000_021, shown: '30000021 on the track wear:production' };
    expect(phone(tracks)).toEqual({
      inStore: { number: 50, shown: '50 on the track beta' },
      submitted: null,
      other: wear,
      used: [42, 50, 30_000_021, 900],
    });
    const forWatches = countVersionCodes(codes(tracks), [], 'wear');
    expect(forWatches).toMatchObject({ inStore: wear, other: { number: 900 } });
    expect(countVersionCodes(codes(tracks), [], 'automotive')).toMatchObject({ inStore: null, other: wear });
  });

  it('of files that no track has count as the nearest one on a track', () => {
    const files = [41, 60, 30_000_020, 30_000_022, 899];
    expect(phone(tracks, files)).toMatchObject({
      inStore: { number: 60, shown: '60 in a file that no track has' },
      other: { number: 30_000_022 },
      used: [42, 50, 30_000_021, 900, 41, 60, 30_000_020, 30_000_022, 899],
    });
    expect(phone({}, [7, 9])).toMatchObject({ inStore: { number: 9 }, other: null });
  });

  it.each<[readonly number[], number, string]>([
    [[4021, 21, 1021, 2021], 21, '21 on the track beta, with the splits 21, 1021, 2021, 4021'],
    [[1021, 2021, 4021], 21, '21 on the track beta, with the splits 1021, 2021, 4021'],
    [[1021, 2021], 1021, '1021 on the track beta, with the splits 1021, 2021'],
    [[5, 1005, 30_000_005], 30_000_005, '30000005 on the track beta'],
    [[41, 42], 42, '42 on the track beta'],
    [[1021], 1021, '1021 on the track beta'],
  ])('of a release with %j are %d', (versionCodes, number, shown) => {
    expect(phone({ beta: versionCodes }).inStore).toEqual({ number, shown });
  });

  it('of splits that no track has follow from their own number, too', () => {
    const splits = { production: [21, 1021, 2021, 4021] };
    expect(phone(splits, [20, 1020, 2020, 4020]).inStore).toMatchObject({ number: 21 });
    expect(phone(splits, [22, 1022, 2022, 4022]).inStore).toEqual({
      number: 22,
      shown: '22 in a file that no track has',
    });
    expect(phone(splits, [2023]).inStore).toEqual({
      number: 23,
      shown: '23 in a file that no track has (as 2023)',
    });
  });

  it('of submissions count for the devices of their tracks', () => {
    const submitted = [
      { code: 55, track: 'production' },
      { code: 30_000_030, track: 'wear:production' },
    ];
    expect(phone(tracks, [], submitted)).toMatchObject({ submitted: 55 });
    expect(phone(tracks, [], submitted).used).toContain(30_000_030);
    expect(countVersionCodes(codes(tracks), submitted, 'wear').submitted).toBe(30_000_030);
    expect(phone({}, [], submitted).submitted).toBe(55);
    const splits = { production: [21, 1021, 2021, 4021] };
    expect(phone(splits, [], [{ code: 2022, track: 'internal' }]).submitted).toBe(22);
    expect(phone(splits, [], [{ code: 4022, track: null }]).submitted).toBe(22);
  });
});
