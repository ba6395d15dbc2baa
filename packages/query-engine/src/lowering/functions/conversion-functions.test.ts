import { bool, byte, date, decimal, int, long, nullable, recordOf, string, time, timestamp } from '@svc/query-language';

import { checkFunctions, constant, s, i, d, dec, e, ts, day } from '../../testing/function-cases.ts';

checkFunctions([
  ['INT', [s(' 42.9 ')], int, '42'],
  ['INT', [d('-1.7')], int, '-1'],
  ['BOOL', [i(0)], bool, 'false'],
  ['BYTE', [i(300)], byte, '! cannot cast 300 to byte'],
  ['STRING', [dec('1.50')], string, '1.5'],
  ['STRING', [i(null)], nullable(string), 'NULL'],
  ['DECIMAL', [s('1.50')], decimal, '1.500000000000000000'],
  ['LONG', [e('TRUE', bool)], long, '1'],
  ['TO_DATE', [s('2024-02-29'), s('yyyy-MM-dd')], date, '2024-02-29'],
  ['TO_DATE', [s('2024-02-30'), s('yyyy-MM-dd')], date, "! '2024-02-30' is no date by the template 'yyyy-MM-dd'"],
  ['TO_DATE', [s('2024-2-9'), s('yyyy-MM-dd')], date, "! '2024-2-9' is no date by the template 'yyyy-MM-dd'"],
  ['TO_DATE', [s(' 2024-02-09'), s('yyyy-MM-dd')], date, "! ' 2024-02-09' is no date by the template 'yyyy-MM-dd'"],
  ['TO_DATE', [s('9/2/24'), s('d/M/yy')], date, '2024-02-09'],
  ['TO_DATE', [s('09/12/75'), s('d/M/yy')], date, '2075-12-09'],
  ['TO_DATE', [s('Feb 9 2024'), s('MMM d yyyy')], date, '2024-02-09'],
  ['TO_DATE', [s('09Feb2024'), s('ddMMMyyyy')], date, '2024-02-09'],
  ['TO_DATE', [s('2024-060'), s('yyyy-DDD')], date, '2024-02-29'],
  ['TO_DATE', [s('Fri 9 Feb 2024'), s('E d MMM yyyy')], date, '2024-02-09'],
  ['TO_DATE', [s('Mon 9 Feb 2024'), s('E d MMM yyyy')], date, "! 'Mon 9 Feb 2024' is no date by the template 'E d MMM yyyy'"],
  ['TO_DATE', [s('100% 2024-02-09'), s('100% yyyy-MM-dd')], date, '2024-02-09'],
  ['TO_DATE', [s("o'clock 2024-02-09"), s("'o''clock' yyyy-MM-dd")], date, '2024-02-09'],
  ['TO_DATE', [s(null), s('yyyy')], nullable(date), 'NULL'],
  ['TO_TIME', [s('01:02:03.456'), s('HH:mm:ss.SSS')], time, '01:02:03.456'],
  ['TO_TIME', [s('1 PM'), s('h a')], time, '13:00:00'],
  ['TO_TIME', [s('01:02:03.4'), s('HH:mm:ss.SSS')], time, "! '01:02:03.4' is no time by the template 'HH:mm:ss.SSS'"],
  ['TO_TIMESTAMP', [s('2024-02-29T01:02:03.000456'), s("yyyy-MM-dd'T'HH:mm:ss.SSSSSS")], timestamp, '2024-02-29 01:02:03.000456'],
  [
    'FORMAT',
    [ts('2024-02-09 03:04:05.678'), s("EEEE, d MMMM yyyy 'at' h:mm:ss.SSS a")],
    string,
    'Friday, 9 February 2024 at 3:04:05.678 AM',
  ],
  ['FORMAT', [day('2024-02-09'), s('y-D 100%')], string, '2024-40 100%'],
  ['FORMAT', [constant(time, '13:04:05'), s('H:m:s')], string, '13:4:5'],
  ['FORMAT', [e('CAST(NULL AS DATE)', nullable(date)), s('yyyy 100%')], nullable(string), 'NULL'],
  [
    'TO_JSON',
    [
      e(
        `{'a': 1, 'b': DATE '2024-01-01'}`,
        recordOf([
          { name: 'a', type: int },
          { name: 'b', type: date },
        ]),
      ),
    ],
    string,
    '{"a":1,"b":"2024-01-01"}',
  ],
]);
