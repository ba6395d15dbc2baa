import { commonSettings } from './common-settings.ts';
import { readEnv } from './read-env.ts';
import {
  choiceSetting,
  folderSetting,
  foldersSetting,
  integerSetting,
  listSetting,
  optional,
  refineSetting,
  secret,
  textSetting,
  urlSetting,
  withDefault,
} from './setting.ts';
import { SettingsError } from './settings-error.ts';

const SHAPE = {
  port: withDefault(integerSetting('SVC_EXECUTOR_PORT', { min: 0, max: 65535 }), 8081),
  issuer: urlSetting('SVC_TOKEN_ISSUER'),
  audience: textSetting('SVC_TOKEN_AUDIENCE', 'the audience that tokens must name'),
  scope: optional(textSetting('SVC_REQUIRED_SCOPE')),
  level: withDefault(choiceSetting('SVC_LOG_LEVEL', ['info', 'warn']), 'info'),
  database: secret(urlSetting('SVC_DATABASE_URL', ['postgres', 'postgresql'])),
  roots: withDefault(listSetting('SVC_FILE_ROOTS', { separator: ':', expected: 'directories' }), []),
};

const GOOD = { SVC_TOKEN_ISSUER: 'https://issuer.example', SVC_TOKEN_AUDIENCE: 'svc', SVC_DATABASE_URL: 'postgres://u:sesame@db/x' };

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readEnv(env, SHAPE);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

test('settings are read with their types, defaults and absences', () => {
  const { settings, warnings } = readEnv({ ...GOOD, SVC_FILE_ROOTS: '/a: /b :', SVC_LOG_LEVEL: '' }, SHAPE);

  expect(settings).toEqual({
    port: 8081,
    issuer: new URL('https://issuer.example'),
    audience: 'svc',
    scope: undefined,
    level: 'info',
    database: new URL('postgres://u:sesame@db/x'),
    roots: ['/a', '/b'],
  });
  expect(warnings).toEqual([]);
});

test('every setting that cannot be used is named at once, with what was expected', () => {
  expect(
    problemsOf({ SVC_EXECUTOR_PORT: '80810', SVC_TOKEN_ISSUER: 'ftp://x', SVC_LOG_LEVEL: 'loud', SVC_DATABASE_URL: 'sesame' }),
  ).toEqual([
    'SVC_EXECUTOR_PORT cannot be used: expected a whole number from 0 to 65535, found "80810"',
    'SVC_TOKEN_ISSUER cannot be used: expected a URL that begins with http:// or https://, found "ftp://x"',
    'SVC_TOKEN_AUDIENCE is not set: expected the audience that tokens must name',
    'SVC_LOG_LEVEL cannot be used: expected one of info, warn, found "loud"',
    'SVC_DATABASE_URL cannot be used: expected a URL that begins with postgres:// or postgresql://, its value, which is not shown, is not that',
  ]);
});

test.each(['1.5', '1e3', '0x10', ' 1', '-1', '', 'NaN'])('%p is no port', (text) => {
  expect(problemsOf({ ...GOOD, SVC_EXECUTOR_PORT: text })).toHaveLength(text === '' ? 0 : 1);
});

test('an unknown SVC_ name is warned about, with the name that was meant', () => {
  const { warnings } = readEnv(
    {
      ...GOOD,
      SVC_EXECUTR_PORT: '1',
      SVC_COLOUR_OF_THE_SKY: 'blue',
      SVC_FOO: '1',
      SVC_GATEWAY_PORT: '1',
      SVC_TEST_DATABASE_URL: 'x',
      PATH: 'x',
    },
    SHAPE,
  );

  expect(warnings).toEqual([
    'SVC_COLOUR_OF_THE_SKY is not a setting',
    'SVC_EXECUTR_PORT is not a setting; was SVC_EXECUTOR_PORT meant?',
    'SVC_FOO is not a setting',
  ]);
});

test('a refined setting is required again, and refused where the refinement refuses', () => {
  const even = refineSetting(integerSetting('SVC_EVEN', { min: 0 }), 'an even number', (value) => (value % 2 === 0 ? value : undefined));

  expect(readEnv({ SVC_EVEN: '4' }, { even }).settings.even).toBe(4);
  expect(() => readEnv({ SVC_EVEN: '5' }, { even })).toThrow('SVC_EVEN cannot be used: expected an even number, found "5"');
  expect(() => readEnv({}, { even })).toThrow('SVC_EVEN is not set: expected an even number');
});

describe('the settings that every service has', () => {
  const shape = commonSettings('EXECUTOR', { port: 8081, adminPort: 9081 });

  test('have the documented defaults', () => {
    expect(readEnv({}, shape).settings).toEqual({
      host: '0.0.0.0',
      port: 8081,
      adminPort: 9081,
      minBytesPerSecond: 4096,
      graceMillis: 60_000,
      bodyLimitBytes: 1_048_576,
      corsOrigins: [],
      logLevel: 'info',
    });
  });

  test('are read from the service’s own names', () => {
    const { settings, warnings } = readEnv(
      { SVC_EXECUTOR_PORT: '1', SVC_BODY_LIMIT_KB: '2', SVC_CORS_ORIGINS: 'https://a.example, http://localhost:3000' },
      shape,
    );

    expect(settings).toMatchObject({ port: 1, bodyLimitBytes: 2048, corsOrigins: ['https://a.example', 'http://localhost:3000'] });
    expect(warnings).toEqual([]);
  });

  test('an origin with a path is refused', () => {
    expect(() => readEnv({ SVC_CORS_ORIGINS: 'https://a.example/x' }, shape)).toThrow(
      /SVC_CORS_ORIGINS cannot be used: expected origins such as/,
    );
  });
});

test('a folder is one that exists', () => {
  const shape = { spool: optional(folderSetting('SVC_SPOOL_DIR', 'write')), roots: withDefault(foldersSetting('SVC_FILE_ROOTS', ':'), []) };
  const [here, file] = [import.meta.dirname, import.meta.filename];
  expect(readEnv({ SVC_SPOOL_DIR: here, SVC_FILE_ROOTS: `${here}:/` }, shape).settings).toEqual({ spool: here, roots: [here, '/'] });
  expect(() => readEnv({ SVC_SPOOL_DIR: '/absent', SVC_FILE_ROOTS: `${here}:${file}` }, shape)).toThrow(
    `SVC_SPOOL_DIR cannot be used: expected a folder, and "/absent" does not exist\n` +
      `SVC_FILE_ROOTS cannot be used: expected folders with ":" between them, and ${JSON.stringify(file)} is none`,
  );
});
