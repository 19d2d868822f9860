import { Injectable } from '@nestjs/common';
import type { JobLogDto } from '../job-logs/job-log.dto.js';
import { JobLogReader } from '../job-logs/job-log-reader.service.js';
import { type JobDto, toJobDto } from './job.dto.js';
import type { Job } from './job.entity.js';
import { JobsService } from './jobs.service.js';

/** Presents jobs, with their logs if they are asked for. Send what has logs with `sendWithLogs`. */
@Injectable()
export class JobsPresenter {
  constructor(
    private readonly jobs: JobsService,
    private readonly logs: JobLogReader,
  ) {}

  /** Jobs by their ids, for those who present what they belong to. */
  async presentMany(jobIds: readonly string[], withLogs: boolean): Promise<Map<string, JobDto>> {
    const dtos = new Map<string, JobDto>();
    // First the job, then its log: so the log is complete when the status is final.
    for (const job of (await this.jobs.getMany(jobIds)).values()) {
      dtos.set(job.id, await this.presentOne(job, withLogs));
    }
    return dtos;
  }

  async presentOne(job: Job, withLogs: boolean): Promise<JobDto> {
    return toJobDto(job, withLogs ? await this.logsOf(job.id) : undefined);
  }

  /** The whole log of a job, by number: what stands for it until `sendWithLogs` sends it. */
  async logsOf(jobId: string): Promise<readonly JobLogDto[]> {
    return (await this.logs.read(jobId)).placeholder;
  }
}
