import { generateApiToken } from './common/access/api-token.js';

/** `npm run token:generate`: prints a new API token, for `BOOTSTRAP_TOKEN`. */
console.log(generateApiToken());
