import { startAppStoreConnect } from '../test/support/stores/app-store-connect/app-store-connect.ts';
import { runDemo } from './demo/run-demo.ts';
import { submitToTestFlight } from './demo/testflight-story.ts';

/**
 * `npm run demo:testflight`: plays a submission on a temporary instance, against the stand-in for App Store Connect of the
 * tests. Nothing goes to Apple.
 */
const apple = await startAppStoreConnect();
await runDemo({
  title: 'Slipway: an ipa goes to TestFlight (a stand-in of App Store Connect)',
  env: { APP_STORE_CONNECT_URL: apple.url },
  play: (api) => submitToTestFlight(api, apple),
  stop: () => apple.stop(),
});
