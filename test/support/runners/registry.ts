/** Where npm gets packages here. */
export const REGISTRY = process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/';

/** Whether packages can be had. Where they cannot, tests that install some are skipped. */
export const hasRegistry = await fetch(new URL('vite', REGISTRY), {
  method: 'HEAD',
  signal: AbortSignal.timeout(10_000),
}).then(
  ({ ok }) => ok,
  () => false,
);
if (!hasRegistry) process.stderr.write(`Skipped: builds with packages need ${REGISTRY}.\n`);
