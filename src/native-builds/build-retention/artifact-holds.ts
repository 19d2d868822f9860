import { Injectable } from '@nestjs/common';

/** Finds those among artifacts that must not be deleted. It may be called in a transaction that has locked them. */
export type FindHeld = (artifactIds: readonly string[]) => Promise<readonly string[]>;

/** What keeps artifacts from being deleted by retention; areas below register it. */
@Injectable()
export class ArtifactHolds {
  private readonly finders: FindHeld[] = [];

  /** Before the first run of retention, in `onModuleInit`. */
  register(find: FindHeld): void {
    this.finders.push(find);
  }

  /** Those among the artifacts that retention keeps. */
  async find(artifactIds: readonly string[]): Promise<Set<string>> {
    const held = new Set<string>();
    if (artifactIds.length === 0) return held;
    for (const find of this.finders) for (const id of await find(artifactIds)) held.add(id);
    return held;
  }
}
