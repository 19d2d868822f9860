import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { parseRepositoryPath } from '../../organizations/git-remotes/repository-path.js';

const MAX_REPOSITORIES = 100;
/** In characters. */
const MAX_PATH_LENGTH = 255;

/** Paths of repositories as in their addresses, at most 100. */
export function IsSubmoduleRepositories(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_PATH_LENGTH },
      maxItems: MAX_REPOSITORIES,
      example: ['acme/shared-ui'],
    }),
    IsTextThat(
      // Its own form only: the runner compares it with addresses.
      (text) => text.length <= MAX_PATH_LENGTH && parseRepositoryPath(text, true) === text,
      `$property must hold paths of repositories such as acme/shared-ui: 1 to ${MAX_PATH_LENGTH} characters, without the host.`,
      { each: true },
    ),
    ArrayMaxSize(MAX_REPOSITORIES, { message: `$property must hold at most ${MAX_REPOSITORIES} paths.` }),
    IsArray({ message: '$property must be a list.' }),
  );
}
