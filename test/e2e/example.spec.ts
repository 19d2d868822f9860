import { notes } from '../examples/notes/test/resource.js';
import { setTestEnvironment, testEnvironment } from '../setup/test-environment.js';
import { startExampleSite } from '../support/examples/example-site.js';
import { describeResource } from '../support/resources/describe-resource.js';

/* The resource that CONTRIBUTING.md adds as an example. */

const site = await startExampleSite();
setTestEnvironment({
  ...testEnvironment(),
  origin: site.server.origin,
  databaseUrl: site.databaseUrl,
  dataDir: site.dataDir,
});
openApi.use(site.document);

afterAll(() => site.dispose());

describeResource(notes, site.paths);
