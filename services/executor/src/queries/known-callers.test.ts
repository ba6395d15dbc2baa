import { KnownCallers } from './known-callers.ts';

function callersAt(): { readonly callers: KnownCallers; readonly wait: (millis: number) => void } {
  let now = 1000;
  return { callers: new KnownCallers(() => now), wait: (millis) => void (now += millis) };
}

test('whose token a header holds is known for half a minute and no longer than a minute, whenever somebody asks', () => {
  for (const early of [0, 1, 15_000, 29_999])
    for (const asked of [1, 15_000, 30_000]) {
      const { callers, wait } = callersAt();
      wait(early);
      callers.remember('Bearer a', 'ann');
      expect(callers.subjectOf('Bearer b')).toBeUndefined();
      wait(29_999);
      expect(callers.subjectOf('Bearer a')).toBe('ann');
      wait(asked);
      callers.subjectOf('Bearer a');
      wait(30_001 - asked);
      expect(callers.subjectOf('Bearer a')).toBeUndefined();
    }
});

test('looking somebody up does not keep them', () => {
  const { callers, wait } = callersAt();
  callers.remember('Bearer a', 'ann');
  for (let i = 0; i < 6; i += 1) {
    callers.subjectOf('Bearer a');
    wait(10_000);
  }
  expect(callers.subjectOf('Bearer a')).toBeUndefined();
});

test('who is checked again stays known', () => {
  const { callers, wait } = callersAt();
  for (let i = 0; i < 20; i += 1) {
    callers.remember('Bearer a', 'ann');
    wait(20_000);
    expect(callers.subjectOf('Bearer a')).toBe('ann');
  }
});

test('however many call, ten thousand at most are remembered, the last of them', () => {
  const { callers } = callersAt();
  for (let i = 0; i < 30_000; i += 1) callers.remember(`Bearer ${i}`, `${i}`);
  const known = Array.from({ length: 30_000 }, (_, i) => callers.subjectOf(`Bearer ${i}`)).filter((subject) => subject !== undefined);
  expect(known.length).toBeLessThanOrEqual(10_000);
  expect(known).toContain('29999');
  expect(known).toContain('25000');
});
