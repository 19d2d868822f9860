import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn } from 'class-validator';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { WithoutDoubles } from '../../common/validation/without-doubles.decorator.js';
import { MAX_BETA_GROUPS } from './destination.entity.js';

const MAX_GROUP_ALIASES = 100;
const MAX_TRACK_LENGTH = 128;

/** At least two segments, which start with a letter. */
const APPLICATION_ID = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
const GROUP = /^(?=.*[^\p{Z}\p{C}])[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]{1,100}$/u;
const GROUP_ALIAS = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** Language, script, region and variants, as stores write them: `en-US`, `zh-Hans`, `es-419`, `fil`. */
const LOCALE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/** Whether the text has the form of a locale, such as `en-US`; whether a store has it, only that store knows. */
export function isLocale(text: string): boolean {
  return LOCALE.test(text);
}

/** A text that matches a pattern. @param expected what the error says that it must be */
function IsPattern(pattern: RegExp, maximum: number, expected: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', maxLength: maximum }),
    IsTextThat((text) => text.length <= maximum && pattern.test(text), `$property must be ${expected}.`),
  );
}

export const IsApplicationId = (): PropertyDecorator =>
  IsPattern(APPLICATION_ID, 255, 'an Android application id, such as com.example.app');

export const IsLocale = (): PropertyDecorator => IsPattern(LOCALE, 35, 'a locale, such as en-US');

export const IsAppleAppId = (): PropertyDecorator =>
  IsPattern(/^[0-9]{1,20}$/, 20, 'the Apple ID of the app, a number such as 1234567890');

/** Apple's ids of teams and keys. */
export const IsAppleShortId = (what: string): PropertyDecorator =>
  IsPattern(/^[A-Z0-9]{10}$/, 10, `${what}: 10 capital letters and digits`);

export const IsFirebaseAppId = (): PropertyDecorator =>
  IsPattern(
    /^[0-9]{1,4}:[0-9]{1,20}:(android|ios):[0-9a-f]{1,64}$/,
    96,
    'a Firebase app id, such as 1:1234567890:android:0a1b2c3d4e5f',
  );

export const IsHuaweiId = (): PropertyDecorator =>
  IsPattern(/^[0-9]{1,30}$/, 30, 'a number of AppGallery Connect');

/** A track of Google Play. It becomes a part of a path. */
export function IsTrack(): PropertyDecorator {
  return applyDecorators(
    IsTextThat((text) => !/^\.{1,2}$/.test(text), '$property must not be a path.'),
    IsName(MAX_TRACK_LENGTH),
  );
}

/** TestFlight groups by name. */
export function IsGroupNames(): PropertyDecorator {
  return applyDecorators(
    GroupList(MAX_BETA_GROUPS, ['Team', 'Beta']),
    IsTextThat((text) => GROUP.test(text), '$property must hold names of 1 to 100 visible characters.', {
      each: true,
    }),
  );
}

/** Groups of testers by alias. */
export function IsGroupAliases(): PropertyDecorator {
  return applyDecorators(
    GroupList(MAX_GROUP_ALIASES, ['qa-team']),
    IsTextThat(
      (text) => GROUP_ALIAS.test(text),
      '$property must hold aliases of 1 to 63 lower-case letters, digits and hyphens.',
      { each: true },
    ),
  );
}

function GroupList(most: number, example: string[]): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], maxItems: most, example }),
    WithoutDoubles(),
    IsArray({ message: '$property must be a list of groups.' }),
    ArrayMaxSize(most, { message: `$property must hold at most ${most} groups.` }),
  );
}

/** One of a few values; documents `null`, too. */
export function IsOneOfOrNull(values: readonly string[]): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'string', enum: [...values, null], nullable: true }),
    IsIn(values, { message: `$property must be one of ${values.join(', ')}.` }),
  );
}
