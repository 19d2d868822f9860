import { parseArgs } from 'node:util';
import { startGooglePlay } from './google-play.ts';

/**
 * The stand-in as a program: `node test/support/stores/google-play/main.ts --port 8090`. It prints the values of
 * `GOOGLE_PLAY_URL` and `GOOGLE_TOKEN_URL`, and is controlled over `/admin` (see `admin.ts`).
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const play = await startGooglePlay(Number(values.port));
process.stdout.write(`GOOGLE_PLAY_URL=${play.url}
GOOGLE_TOKEN_URL=${play.tokenUrl}
`);
process.once('SIGINT', () => void play.stop());
process.once('SIGTERM', () => void play.stop());
