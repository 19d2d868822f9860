import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsString, Matches } from 'class-validator';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { gitAuthKinds } from './git-connection.entity.js';

const MAX_SECRET_LENGTH = 5000;

/** `basic` or `token`. Says for the other kinds of the hosted service what to use instead. */
export function IsGitAuthKind(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ enum: gitAuthKinds, enumName: 'GitAuthKind' }),
    IsIn(gitAuthKinds, {
      message: ({ value }) =>
        value === 'oauth' || value === 'github_app'
          ? `authKind ${value} is not supported: use token, with an access token that you create at the provider.`
          : 'authKind must be one of basic, token.',
    }),
  );
}

/** An access token: it is sent in headers. */
export function IsGitToken(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ writeOnly: true }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    IsText(MAX_SECRET_LENGTH, 1),
    Matches(/^[\x21-\x7e]+$/, { message: '$property must be printable ASCII characters without spaces.' }),
  );
}

/** A password for HTTP. */
export function IsGitPassword(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ writeOnly: true }),
    IsText(MAX_SECRET_LENGTH, 1),
    Matches(/^\P{Cc}+$/u, { message: '$property must not be empty or contain control characters.' }),
  );
}

/** A user name for HTTP, which cannot contain a colon (RFC 7617). */
export function IsGitUsername(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', minLength: 1, maxLength: 255 }),
    Matches(/^[^\p{Cc}:]{1,255}$/u, {
      message: '$property must be 1 to 255 characters long, without colons and control characters.',
    }),
    IsString({ message: '$property must be a string.' }),
  );
}

/** The address of a git server. */
export function IsGitBaseUrl(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', nullable: true, maxLength: 1000 }),
    IsTextThat(
      (text) => normalizeBaseUrl(text) !== null,
      '$property must be an http or https address without credentials and query, such as https://git.example.com.',
    ),
  );
}

/** An address in its usual spelling, without a slash at the end; `null`: it is none that a server can have. */
export function normalizeBaseUrl(text: string): string | null {
  if (text.length > 1000 || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) return null;
  return url.href.replace(/\/+$/, '');
}
