import {
  type DestinationPlace,
  hasMoved,
  leadToSamePlace,
  covers,
} from './destination-governance.service.js';

const play = (values: Partial<DestinationPlace> = {}): DestinationPlace => ({
  type: 'google-play',
  androidPackageName: 'com.example.shop',
  googlePlayTrack: 'production',
  appleAppId: null,
  appleSubmitForReview: false,
  ...values,
});
const apple = (values: Partial<DestinationPlace> = {}): DestinationPlace =>
  play({ type: 'apple-app-store-connect', appleAppId: '1234567890', appleSubmitForReview: true, ...values });

it.each([
  ['a track of an app', play(), play(), true],
  ['another track', play(), play({ googlePlayTrack: 'beta' }), false],
  ['another app', play(), play({ androidPackageName: 'com.example.other' }), false],
  ['the App Store', apple(), apple(), true],
  ['an app, and any', apple(), apple({ appleAppId: null }), true],
  ['any apps', apple({ appleAppId: null }), apple({ appleAppId: null }), true],
  ['another app of Apple', apple(), apple({ appleAppId: '2222222222' }), false],
  ['TestFlight and the App Store', apple(), apple({ appleSubmitForReview: false }), false],
  ['another store', play(), apple(), false],
  ['no store', play({ type: 'huawei-appgallery' }), play({ type: 'huawei-appgallery' }), false],
])('two destinations lead to one place: %s', (_what, one, other, isSame) => {
  expect(leadToSamePlace(one, other)).toBe(isSame);
  expect(leadToSamePlace(other, one)).toBe(isSame);
});

it('covers TestFlight on the way to the App Store, and not the other way round', () => {
  const testFlight = apple({ appleSubmitForReview: false });
  expect(covers(apple(), testFlight)).toBe(true);
  expect(covers(testFlight, apple())).toBe(false);
  expect(covers(apple(), apple())).toBe(true);
  expect(covers(apple({ appleAppId: '2222222222' }), testFlight)).toBe(false);
  expect(covers(play(), play())).toBe(true);
  expect(covers(play(), play({ googlePlayTrack: 'beta' }))).toBe(false);
});

it('moves when it leads elsewhere, or to other apps', () => {
  expect(hasMoved(play(), play())).toBe(false);
  expect(hasMoved(play(), play({ googlePlayTrack: 'beta' }))).toBe(true);
  expect(hasMoved(apple(), apple({ appleAppId: null }))).toBe(true);
  expect(hasMoved(apple(), apple())).toBe(false);
});
