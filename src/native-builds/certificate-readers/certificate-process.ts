import { endWithoutParent } from '../../common/process/end-without-parent.js';
import type { CertificatePlatform } from '../certificates/certificate.entity.js';
import { openCertificate } from './open-certificate.js';
import type {
  DeviceAttributesReading,
  OpenedReading,
  ProfileReading,
  ReaderRequest,
  CertificateReader,
} from './reading.js';

/**
 * The platforms whose files can be opened, each with its reader. These are imported where they are used, which is in
 * separate processes, so that the server does not load their libraries.
 */
const certificateReaders: Readonly<Record<CertificatePlatform, () => Promise<CertificateReader>>> = {
  android: async () => (await import('./android-certificate-reader.js')).readAndroidCertificate,
  ios: async () => (await import('./ios-certificate-reader.js')).readIosCertificate,
  web: async () => (await import('./web-certificate-reader.js')).readWebCertificate,
};

/*
 * A separate program, which `CertificateReaderService` starts: reads one certificate or provisioning profile and ends.
 * A thread would not do, because OpenSSL cannot be interrupted in one.
 */
endWithoutParent(30_000);

process.once('message', async (request: ReaderRequest) => {
  const reading = await read(request);
  process.send?.(reading, () => {
    process.disconnect();
  });
});

async function read(
  request: ReaderRequest,
): Promise<OpenedReading | ProfileReading | DeviceAttributesReading> {
  if (request.kind === 'profile') {
    const { readProfileFile } = await import('./profile-reader.js');
    return readProfileFile(Buffer.from(request.file));
  }
  if (request.kind === 'device-attributes') {
    const { readDeviceAttributes } = await import('./device-attributes-reader.js');
    return readDeviceAttributes(Buffer.from(request.file));
  }
  const { certificate } = request;
  const readCertificate = await certificateReaders[certificate.platform]();
  return openCertificate(readCertificate, { ...certificate, file: Buffer.from(certificate.file) });
}
