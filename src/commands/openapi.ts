import { writeFile } from 'node:fs/promises';
import { createLogger } from '../common/logging/logger.js';
import { Config } from '../config/config.js';
import { createApp } from '../create-app.js';
import { createDocument } from '../docs/document.js';
import { formatJson } from '../docs/format-json.js';
import { command } from './command.js';

/** `slipway openapi`. Needs no database and no storage. */
export const openapi = command({
  options: {},
  run: async () => {
    const logger = createLogger({ level: 'warn', pretty: false });
    const app = await createApp(new Config(), logger, { preview: true });
    await writeFile('openapi.json', `${formatJson(createDocument(app))}\n`);
    await app.close();
  },
});
