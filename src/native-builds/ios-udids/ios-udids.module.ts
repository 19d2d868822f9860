import { Module } from '@nestjs/common';
import { CertificateReadersModule } from '../certificate-readers/certificate-readers.module.js';
import { IosUdidsController } from './ios-udids.controller.js';
import { UdidRequests } from './udid-requests.service.js';

/** Identifies devices to pages, with the consent of their users. */
@Module({
  imports: [CertificateReadersModule],
  controllers: [IosUdidsController],
  providers: [UdidRequests],
})
export class IosUdidsModule {}
