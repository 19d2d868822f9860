const { relative } = require('node:path');
const { filesOf } = require('./test-sets.ts');

/** Jest asks which of its files to run: those of `npm test`, `npm run test:rest` or `npm run test:deep`. */
module.exports = (paths) => {
  const files = new Map(paths.map((path) => [relative(process.cwd(), path), path]));
  const seed = Number(
    process.argv.find((option) => option.startsWith('--seed='))?.slice('--seed='.length) ?? 1,
  );
  const wanted = filesOf(process.env['TEST_SET'], [...files.keys()], seed);
  return { filtered: wanted.map((file) => files.get(file)) };
};
