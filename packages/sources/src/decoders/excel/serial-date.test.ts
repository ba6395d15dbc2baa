import { isDateFormat, serialText } from './serial-date.ts';

test.each([
  [0.5, false, '12:00:00'],
  [1, false, '1900-01-01'],
  [59, false, '1900-02-28'],
  [61, false, '1900-03-01'],
  [45_293, false, '2024-01-02'],
  [45_293.128_532_4, false, '2024-01-02 03:05:05.199'],
  [43_831, true, '2024-01-02'],
  [0, true, '1904-01-01'],
  [2_958_465, false, '9999-12-31'],
  [2_958_466, false, null],
  [-1, false, null],
])('day %s (since 1904: %s) is %s', (serial, is1904, text) => {
  expect(serialText(serial, is1904)).toBe(text);
});

test.each([
  [14, undefined, true],
  [22, undefined, true],
  [46, undefined, false],
  [2, undefined, false],
  [164, 'yyyy\\-mm\\-dd', true],
  [164, '[$-409]h:mm AM/PM', true],
  [164, '[h]:mm', false],
  [164, '0.00" days"', false],
  [164, 'General', false],
  [164, '#,##0;[Red]-#,##0', false],
])('format %s %s shows a date: %s', (id, code, isDate) => {
  expect(isDateFormat(id, code)).toBe(isDate);
});
