import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { Build } from './build.entity.js';

/** The variables of one build alone, which are sealed in the database. */
@Injectable()
export class AdHocVariables {
  constructor(private readonly box: SecretBox) {}

  /** The column for the variables of a build. */
  seal(buildId: string, variables: Readonly<Record<string, string>>): string {
    return this.box.seal(JSON.stringify(variables), contextOf(buildId));
  }

  /** Values by key; empty when the build has none. */
  of({ id, sealedAdHocVariables: sealed }: Build): Record<string, string> {
    return sealed === null
      ? {}
      : (JSON.parse(this.box.open(sealed, contextOf(id))) as Record<string, string>);
  }
}

function contextOf(buildId: string): string {
  return `builds:${buildId}`;
}
