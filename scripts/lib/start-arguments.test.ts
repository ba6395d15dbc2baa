import { parseStartArguments } from './start-arguments.ts';

test('nothing is asked for by default', () => {
  expect(parseStartArguments([])).toEqual({ help: false, withKafka: false });
  expect(parseStartArguments(['--with-kafka'])).toEqual({ help: false, withKafka: true });
  expect(parseStartArguments(['--help'])).toEqual({ help: true, withKafka: false });
});

test.each([['--with-kafak'], ['kafka'], ['--with-kafka=yes']])('%s is an error that lists what is known', (argument) => {
  expect(() => parseStartArguments([argument])).toThrow(/(kafak|kafka)'.*\n\nUsage: .*\n\n {2}--with-kafka .*\n {2}--help /);
});
