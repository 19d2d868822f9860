import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { IosUdidsController } from './ios-udids.controller.js';
import { UdidRequests } from './udid-requests.service.js';

/** Identifies devices to pages, with the consent of their users. */
@Module({
  imports: [CertificatesModule],
  controllers: [IosUdidsController],
  providers: [UdidRequests],
})
export class IosUdidsModule {}
