import { apiKeyStatus } from './api-key-status.ts';

const expiresAt = new Date('2026-11-20T09:15:00.123Z');
const at = (milliseconds: number): Date => new Date(expiresAt.getTime() + milliseconds);
const HOUR = 3_600_000;

test.each([
  [true, -1, 'active'],
  [true, 0, 'active'],
  [true, 1, 'expired'],
  [false, -1, 'inactive'],
  [false, 0, 'inactive'],
  [false, 1, 'expired'],
  [true, -HOUR, 'active'],
  [true, HOUR, 'expired'],
] as const)('a key that is active (%s) is, %d ms after its expiry, %s', (isActive, milliseconds, status) => {
  expect(apiKeyStatus({ isActive, expiresAt }, at(milliseconds))).toBe(status);
});
