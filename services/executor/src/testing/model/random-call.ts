import type { Call } from './call.ts';
import type { NamespaceModel } from './namespace-model.ts';
import type { Random } from '@svc/test-kit';
import { deleteTable, getTable, keepUpTable, postRows, putTable } from './table-calls.ts';
import { deleteText, getText, putText } from './text-calls.ts';
import { callFunction, catalogue, describePackage, list, query } from './use-calls.ts';

type MakeCall = (model: NamespaceModel, random: Random) => Call;

/** The kinds of calls with their percentages; the sum is a hundred. */
const CALLS: readonly (readonly [number, MakeCall])[] = [
  [18, (model, random) => putText(model, random, 'view')],
  [10, (model, random) => putText(model, random, 'package')],
  [8, putTable],
  [6, (model, random) => getText(model, random, 'view')],
  [4, (model, random) => getText(model, random, 'package')],
  [3, getTable],
  [7, (model, random) => deleteText(model, random, 'view')],
  [5, (model, random) => deleteText(model, random, 'package')],
  [4, deleteTable],
  [8, postRows],
  [1, keepUpTable],
  [12, query],
  [4, callFunction],
  [3, describePackage],
  [5, list],
  [2, catalogue],
];

/** Generates a call with its required response, and updates the model. */
export function randomCall(model: NamespaceModel, random: Random): Call {
  let left = random.below(100);
  for (const [share, make] of CALLS) {
    left -= share;
    if (left < 0) return make(model, random);
  }
  throw new Error('the shares of the calls make a hundred');
}
