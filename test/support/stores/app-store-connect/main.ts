import { parseArgs } from 'node:util';
import { startAppStoreConnect } from './app-store-connect.ts';

/**
 * The stand-in as a program: `node test/support/stores/app-store-connect/main.ts --port 8091`. It prints the value of
 * `APP_STORE_CONNECT_URL`, and is controlled over `/admin` (see `admin.ts`).
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const connect = await startAppStoreConnect(Number(values.port));
process.stdout.write(`APP_STORE_CONNECT_URL=${connect.url}
`);
process.once('SIGINT', () => void connect.stop());
process.once('SIGTERM', () => void connect.stop());
