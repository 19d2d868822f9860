import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { toOpenActionDto, type SubmissionDto, toSubmissionDto } from '../submissions/submission.dto.js';
import type { Submission } from '../submissions/submission.entity.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { toStoreReleaseDto } from './store-release.dto.js';
import { StoreReleases } from './store-releases.service.js';

/** Presents submissions with their releases and the open changes of these: three statements for any number. */
@Injectable()
export class SubmissionsPresenter {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly releases: StoreReleases,
    private readonly users: UsersService,
  ) {}

  /** @param submissions those that make releases @returns by their ids */
  async present(submissions: readonly Submission[]): Promise<Map<string, SubmissionDto>> {
    const ids = submissions.map(({ id }) => id);
    const releases = await this.releases.getMany(ids);
    const changes = await this.submissions.openChangesOf(ids);
    const users = await this.users.referencesTo(
      [...changes.values()].map(({ createdByUserId }) => createdByUserId),
    );
    return new Map(
      submissions.map((submission) => {
        const release = releases.get(submission.id);
        const change = changes.get(submission.id);
        const createdBy = users.get(change?.createdByUserId ?? '') ?? null;
        const dto = toSubmissionDto(submission, {
          release: release === undefined ? null : toStoreReleaseDto(release),
          openAction: change === undefined ? null : toOpenActionDto(change, createdBy),
        });
        return [submission.id, dto];
      }),
    );
  }

  async presentOne(submission: Submission): Promise<SubmissionDto> {
    return (await this.present([submission])).get(submission.id) as SubmissionDto;
  }
}
