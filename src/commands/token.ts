import { generateApiToken } from '../common/access/api-token.js';
import { command } from './command.js';

/** `slipway token` */
export const token = command({
  options: {},
  run: async () => console.log(generateApiToken()),
});
