import { writeFile } from 'node:fs/promises';
import { createLogger } from './common/logging/logger.js';
import { Config } from './config/config.js';
import { createApp } from './create-app.js';
import { createDocument } from './docs.js';

/** `npm run openapi`: writes openapi.json. Needs no database and no storage. */
const app = await createApp(new Config(), createLogger({ level: 'warn', pretty: false }), { preview: true });
await writeFile('openapi.json', `${JSON.stringify(createDocument(app), null, 2)}\n`);
await app.close();
