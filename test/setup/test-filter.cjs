const { relative } = require('node:path');
const { filesOf } = require('./quick-tests.ts');

/** Jest asks which of its files to run: those of `npm test` or of `npm run test:rest`. */
module.exports = (paths) => {
  const files = new Map(paths.map((path) => [relative(process.cwd(), path), path]));
  const wanted = filesOf(process.env['TEST_SET'], [...files.keys()]);
  return { filtered: wanted.map((file) => files.get(file)) };
};
