import { newLimits } from '../support/limits.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as BuiltService from '../../src/native-builds/certificate-readers/certificate-reader.service.js';
import type * as Built from '../../src/native-builds/certificate-readers/read-in-process.js';
import type { CertificateFile } from '../../src/native-builds/certificate-readers/reading.js';
import { pem } from '../builders/certificate.js';
import { slowKey } from '../support/native-builds/slow-key.js';
import { stopChild, testPrograms } from '../support/processes/child-programs.js';

const readers = join(import.meta.dirname, '../../dist/src/native-builds/certificate-readers');
const PROGRAM = pathToFileURL(join(readers, 'certificate-process.js'));
const good: CertificateFile = {
  platform: 'web',
  file: Buffer.from(pem()),
  password: null,
  keyAlias: null,
  keyPassword: null,
};
const slow: CertificateFile = { ...good, file: Buffer.from(slowKey()), password: 'x' };

describe('the process that opens a certificate', () => {
  let readInProcess: typeof Built.readInProcess;
  let Service: typeof BuiltService.CertificateReaderService;

  beforeAll(async () => {
    ({ readInProcess } = (await import(join(readers, 'read-in-process.js'))) as typeof Built);
    const service = join(readers, 'certificate-reader.service.js');
    ({ CertificateReaderService: Service } = (await import(service)) as typeof BuiltService);
  });

  const read = (certificate: CertificateFile, limits: object, program = PROGRAM): Promise<unknown> =>
    readInProcess(
      program,
      { kind: 'certificate', certificate },
      {
        processorMs: 1000,
        wallMs: 60_000,
        ...limits,
      },
    );

  /** What the service throws with a second of processor time. */
  const thrownFor = (certificate: CertificateFile, wallMs: number): Promise<unknown> => {
    class ImpatientService extends Service {
      protected override readonly limits = { processorMs: 1000, wallMs };
    }
    return new ImpatientService(newLimits())
      .read('organization', certificate)
      .catch((error: unknown) => error);
  };

  it('is killed when it has used its processor time, or too much memory', async () => {
    expect(await read(slow, {})).toBe('overrun');
    expect(await read(good, { processorMs: 60_000 }, (await testPrograms()).hungry)).toBe('died');
  });

  it('gets longer when it does not get the processor, and still opens the file', async () => {
    const reading = read(good, { processorMs: 1500 });
    const pid = await stopChild('certificate-process');
    // It would be overdue by the clock of the wall.
    await new Promise((resolve) => void setTimeout(resolve, 2000));
    process.kill(pid, 'SIGCONT');
    expect(await reading).toMatchObject({ facts: { signingKey: expect.anything() } });
  });

  it('says nothing of the file when it never gets the processor: 503 with Retry-After', async () => {
    const refused = thrownFor(good, 1000);
    await stopChild('certificate-process');
    expect(await refused).toMatchObject({
      code: 'certificate_reader_busy',
      status: 503,
      headers: { 'Retry-After': '5' },
    });
    expect(await thrownFor(slow, 60_000)).toMatchObject({
      code: 'invalid_fields',
      message: 'file needs more than 1 seconds of processor time to open.',
    });
  });
});
