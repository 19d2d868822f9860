import { Injectable } from '@nestjs/common';
import type { Destination } from '../../app-submissions/destinations/destination.entity.js';
import { DestinationsService } from '../../app-submissions/destinations/destinations.service.js';
import { SubmissionsPresenter } from '../../app-submissions/releases/submissions.presenter.js';
import { type SubmissionDto, toSubmissionDto } from '../../app-submissions/submissions/submission.dto.js';
import type { Submission } from '../../app-submissions/submissions/submission.entity.js';
import { SubmissionsService } from '../../app-submissions/submissions/submissions.service.js';

/** What responses show of a deployment to a store besides its own columns. */
export interface PresentedStore {
  readonly destinationName: string | null;
  readonly jobId: string | null;
  readonly submission: SubmissionDto | null;
}

/** What the response shows of a deployment that was just made. */
export function presentedNew({ name }: Pick<Destination, 'name'>, submission: Submission): PresentedStore {
  const { jobId } = submission;
  const presented = toSubmissionDto(submission, { release: null, openAction: null });
  return { destinationName: name, jobId, submission: presented };
}

/** Presents where deployments to stores are: five statements at most for any number. */
@Injectable()
export class StoreDeploymentsPresenter {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly submissions: SubmissionsService,
    private readonly presenter: SubmissionsPresenter,
  ) {}

  /** @returns by the id of the deployment; those to channels are left out */
  async present(
    deployments: readonly { readonly id: string; readonly destinationId: string | null }[],
  ): Promise<Map<string, PresentedStore>> {
    const ofStores = deployments.filter(({ destinationId }) => destinationId !== null);
    const destinations = await this.destinations.getMany(
      ofStores.flatMap(({ destinationId }) => destinationId ?? []),
    );
    const submissions = await this.submissions.getMany(ofStores.map(({ id }) => id));
    const presented = await this.presenter.present([...submissions.values()]);
    return new Map(
      ofStores.map(({ id, destinationId }) => {
        const submission = submissions.get(id);
        return [
          id,
          {
            destinationName: destinations.get(destinationId ?? '')?.name ?? null,
            jobId: submission?.jobId ?? null,
            submission: presented.get(id) ?? null,
          },
        ];
      }),
    );
  }
}
