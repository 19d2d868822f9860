import { startGooglePlay } from '../test/support/stores/google-play/google-play.ts';
import { runDemo } from './demo/run-demo.ts';
import { submit } from './demo/submission-story.ts';

/**
 * `npm run demo:submission`: plays a submission on a temporary instance, against the stand-in for Google Play of the tests.
 * Nothing goes to Google.
 */
const google = await startGooglePlay();
await runDemo({
  title: 'Slipway: a signed bundle goes to Google Play (a stand-in of it)',
  env: { GOOGLE_PLAY_URL: google.url, GOOGLE_TOKEN_URL: google.tokenUrl },
  play: (api) => submit(api, google),
  stop: () => google.stop(),
});
