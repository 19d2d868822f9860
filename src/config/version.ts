/** The version of Slipway, as in `package.json`: server and runner are one program. */
export const VERSION = '0.1.0';
