import { TextLedger } from './held-text.ts';

const LIMITS = { perDocument: 100, inAll: 150 } as const;

test('a document that holds too much cannot be read', () => {
  const held = new TextLedger(LIMITS).begin('workbook');
  held.add(100);
  expect(() => held.add(1)).toThrow('the workbook holds more text than can be read');
});

test('documents that are read at once hold no more than fits, and one that is released makes room', () => {
  const ledger = new TextLedger(LIMITS);
  const [first, second] = [ledger.begin('workbook'), ledger.begin('workbook')];
  first.add(100);
  expect(() => second.add(60)).toThrow(
    expect.objectContaining({ failureClass: 'out-of-memory', message: expect.stringContaining('try again later') }),
  );
  second.release();
  first.release();
  first.release();
  const third = ledger.begin('workbook');
  third.add(100);
  expect(() => ledger.begin('workbook').add(51)).toThrow('hold more text than fits');
});
