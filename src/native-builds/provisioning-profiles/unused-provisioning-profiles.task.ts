import { Injectable, type OnModuleInit } from '@nestjs/common';
import { deleteInBatches } from '../../database/delete-in-batches.js';
import { QueueService } from '../../queue/queue.service.js';
import { ProvisioningProfilesQueries } from './provisioning-profiles.queries.js';

/** How long a profile waits for its certificate. */
const HOURS = 24;

const BATCH = 500;

/** Deletes profiles without a certificate: clients upload profiles, then a certificate, and then link them. */
@Injectable()
export class UnusedProvisioningProfiles implements OnModuleInit {
  constructor(
    private readonly queries: ProvisioningProfilesQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'unused-provisioning-profiles',
      cron: '40 * * * *',
      timeoutSeconds: 600,
      run: () => deleteInBatches(BATCH, (size) => this.queries.deleteUnused(HOURS, size)),
    });
  }
}
