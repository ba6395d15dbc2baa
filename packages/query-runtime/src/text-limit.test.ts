import { limitTexts, TextsTooLong } from './text-limit.ts';

test('texts are too long together, at the one that exceeds the limit', () => {
  const onText = limitTexts(100);
  onText('x'.repeat(40));
  onText('x'.repeat(60));
  expect(() => onText('x')).toThrow(TextsTooLong);
});
