import { startAppStoreConnect } from '../test/support/stores/app-store-connect/app-store-connect.ts';
import { startGooglePlay } from '../test/support/stores/google-play/google-play.ts';
import { releaseInPhases } from './demo/app-store-story.ts';
import { runDemo } from './demo/run-demo.ts';
import { submit } from './demo/submission-story.ts';

/**
 * `npm run demo:submission`: plays a staged release on Google Play and a phased release in the App Store on a temporary
 * instance, from the file to all users, against the stand-ins of the tests. Nothing goes to Google or Apple.
 */
const google = await startGooglePlay();
const apple = await startAppStoreConnect();
await runDemo({
  title: 'Slipway: releases in steps on Google Play and in the App Store (stand-ins of both)',
  env: {
    GOOGLE_PLAY_URL: google.url,
    GOOGLE_TOKEN_URL: google.tokenUrl,
    APP_STORE_CONNECT_URL: apple.url,
    // So that a review that ends is seen at once.
    RELEASE_WATCH_SECONDS: '1',
  },
  play: async (api) => {
    await submit(api, google);
    await releaseInPhases(api, apple);
  },
  stop: async () => {
    await google.stop();
    await apple.stop();
  },
});
