import { sql } from 'kysely';

import { openTestDatabase } from '../testing/open-test-database.ts';
import { parseLikePattern } from './like-pattern.ts';

test.each([
  ['', true],
  ['a%b_c', true],
  ['\\%', true],
  ['\\\\', true],
  ['\\a', true],
  ['\\', false],
  ['a\\', false],
  ['\\\\\\', false],
  ['a\u0000', false],
])('%j is a pattern: %s', (text, isPattern) => {
  expect(parseLikePattern(text) !== undefined).toBe(isPattern);
});

test('PostgreSQL takes every pattern, and reads % _ and \\ as promised', async () => {
  const { db, close } = await openTestDatabase('empty');
  const like = async (text: string, pattern: string): Promise<unknown> =>
    (await sql<{ matches: boolean }>`SELECT ${text}::text LIKE ${parseLikePattern(pattern)} AS matches`.execute(db)).rows[0]?.matches;
  try {
    expect(await like('abc', 'a%')).toBe(true);
    expect(await like('abc', 'a_c')).toBe(true);
    expect(await like('a%', 'a\\%')).toBe(true);
    expect(await like('abc', 'a\\%')).toBe(false);
    expect(await like('a\\', 'a\\\\')).toBe(true);
    expect(await like('ABC', 'a%')).toBe(false);
  } finally {
    await close();
  }
});
