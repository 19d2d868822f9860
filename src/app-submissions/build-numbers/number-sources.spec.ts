import type { Destination } from '../destinations/destination.entity.js';
import { numberSourcesOf } from './number-sources.js';

const play = (values: Partial<Destination> = {}): Destination =>
  ({
    type: 'google-play',
    googleKeyId: 'key-1',
    androidPackageName: 'com.example',
    googlePlayTrack: null,
    ...values,
  }) as Destination;
const apple = (values: Partial<Destination> = {}): Destination =>
  ({
    type: 'apple-app-store-connect',
    appleKeyFileId: 'file-1',
    appleApiKeyId: 'KEY1',
    appleIssuerId: null,
    appleAppId: '1',
    ...values,
  }) as Destination;
const unknown = { appId: 'app', formFactor: null, destinationId: null };
const android = (packageName: string | null, ...destinations: Destination[]) =>
  numberSourcesOf({ ...unknown, platform: 'android', packageName }, destinations);
const ios = (packageName: string | null, ...destinations: Destination[]) =>
  numberSourcesOf({ ...unknown, platform: 'ios', packageName }, destinations);

describe('numberSourcesOf', () => {
  it('finds each key of Google Play once, for the package of the configuration', () => {
    const others = play({ androidPackageName: 'com.other', googleKeyId: 'key-3' });
    expect(android('com.example', play(), play(), play({ googleKeyId: 'key-2' }), others)).toEqual({
      store: 'google-play',
      formFactor: 'phone',
      sources: ['key-1', 'key-2'].map((googleKeyId) => ({
        appId: 'app',
        googleKeyId,
        packageName: 'com.example',
      })),
    });
    expect(android(null, play())).toMatchObject({ sources: [{ packageName: 'com.example' }] });
  });

  it('finds the devices: of the configuration, else of the destination, else of all destinations', () => {
    const watch = play({ id: 'watch', googlePlayTrack: 'wear:beta' });
    const phone = play({ id: 'phone', googlePlayTrack: 'beta' });
    const elsewhere = play({ androidPackageName: 'com.other', googlePlayTrack: 'tv:beta' });
    const find = (app: object, ...destinations: Destination[]) =>
      numberSourcesOf({ ...unknown, platform: 'android', packageName: 'com.example', ...app }, destinations);
    expect(find({}, watch, play(), elsewhere)).toMatchObject({ formFactor: 'wear' });
    expect(find({}, watch, phone)).toMatchObject({ formFactor: 'phone' });
    expect(find({}, play())).toMatchObject({ formFactor: 'phone' });
    expect(find({ destinationId: 'watch' }, watch, phone)).toMatchObject({ formFactor: 'wear' });
    expect(find({ destinationId: 'watch', formFactor: 'phone' }, watch)).toMatchObject({
      formFactor: 'phone',
    });
    expect(find({ formFactor: 'automotive' }, watch, phone)).toMatchObject({ formFactor: 'automotive' });
  });

  it('says what Google Play lacks', () => {
    const incomplete = [
      play({ googleKeyId: null }),
      play({ androidPackageName: null }),
      { ...play(), type: 'huawei-appgallery' } as Destination,
    ];
    expect(android(null)).toEqual(android('com.example', ...incomplete));
    expect(android(null)).toMatchObject({
      store: null,
      missing: expect.stringMatching(/create one/) as string,
    });
    expect(android('com.third', play())).toMatchObject({
      missing: expect.stringMatching(/for the package com\.third: create one/) as string,
    });
    expect(android(null, play(), play({ androidPackageName: 'com.other' }))).toMatchObject({
      missing: expect.stringMatching(/several packages: set packageName/) as string,
    });
  });

  it('finds the app at Apple by its id or by the bundle id', () => {
    const key = { appId: 'app', keyFileId: 'file-1', apiKeyId: 'KEY1', issuerId: null };
    expect(ios(null, apple(), apple(), apple({ appleAppId: null }))).toEqual({
      store: 'apple-app-store-connect',
      sources: [{ ...key, appleAppId: '1', bundleId: null }],
    });
    expect(ios('com.example', apple(), apple({ appleAppId: null }))).toMatchObject({
      sources: [
        { ...key, appleAppId: '1', bundleId: 'com.example' },
        { ...key, appleAppId: null, bundleId: 'com.example' },
      ],
    });
  });

  it('says what App Store Connect lacks', () => {
    expect(ios('com.example', apple({ appleKeyFileId: null }), apple({ appleApiKeyId: null }))).toMatchObject(
      {
        missing: expect.stringMatching(/appAppleApiKeyId and appleApiKeyId: create one/) as string,
      },
    );
    expect(ios(null, apple({ appleAppId: null }))).toMatchObject({
      missing: expect.stringMatching(/set appleAppId/) as string,
    });
    expect(ios(null, apple(), apple({ appleAppId: '2' }))).toMatchObject({
      missing: expect.stringMatching(/several apps: set packageName/) as string,
    });
  });
});
